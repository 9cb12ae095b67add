import { Stack } from '@mantine/core';
import { useTexts } from '../../lib/i18n.ts';
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

/** The refunds of one receipt. */
export default function RefundDrawer({ receiptId, onClose }: Props) {
  const words = useTexts(TEXTS);
  const query = useReceiptRefunds(receiptId);
  return (
    <SideDrawer
      opened={receiptId !== null}
      onClose={onClose}
      size={560}
      title={words.drawer}
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
  const words = useTexts(TEXTS);
  const across = usePageMerchant() === null;
  return (
    <Facts
      items={[
        [
          words.transaction,
          transaction && <TransactionLink key="order" id={transaction.id} order={transaction.orderId} />,
        ],
        [words.merchant, across ? merchant?.name : null],
        [words.receipt, copyable(receiptId, words.receipt)],
      ]}
    />
  );
}
