import { Stack } from '@mantine/core';
import { usePageMerchant } from '../../lib/session.ts';
import { copyable } from '../../ui/copyable.tsx';
import { SideDrawer } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TransactionLink } from '../../ui/transaction-link.tsx';
import { Panel } from './panel.tsx';
import { useReceiptRefunds } from './source.ts';
import { TEXTS } from './texts.ts';
import type { ReceiptRefunds } from './types.ts';

interface Props {
  readonly receiptId: string | null;
  readonly onClose: () => void;
}

export default function RefundDrawer({ receiptId, onClose }: Props) {
  const query = useReceiptRefunds(receiptId);
  return (
    <SideDrawer
      opened={receiptId !== null}
      onClose={onClose}
      size={560}
      title={TEXTS.drawer}
      query={query}
      lines={6}
    >
      {(shown) => (
        <Stack gap={24} pb={12}>
          <Panel shown={shown} />
          <Whose shown={shown} />
        </Stack>
      )}
    </SideDrawer>
  );
}

function Whose({ shown: { transaction, merchant, receiptId } }: { readonly shown: ReceiptRefunds }) {
  const across = usePageMerchant() === null;
  return (
    <Facts
      items={[
        [
          TEXTS.transaction,
          transaction && <TransactionLink key="order" id={transaction.id} order={transaction.orderId} />,
        ],
        [TEXTS.merchant, across ? merchant?.name : null],
        [TEXTS.receipt, copyable(receiptId, TEXTS.receipt)],
      ]}
    />
  );
}
