import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { copyable } from '../../ui/copyable.tsx';
import { SideDrawer } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
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
      title={
        <Text span inherit fw={640}>
          {words.drawer}
        </Text>
      }
    >
      <Loaded query={query} skeleton={<LinesSkeleton lines={6} />}>
        {(shown) => (
          <Stack gap={24} pb={12}>
            <Panel shown={shown} />
            <Whose shown={shown} />
          </Stack>
        )}
      </Loaded>
    </SideDrawer>
  );
}

function Whose({ shown: { transaction, merchant, receiptId } }: { readonly shown: ReceiptRefunds }) {
  const words = useTexts(TEXTS);
  const page = usePageMerchant();
  const base = page === null ? '/operator' : `/m/${page.merchantId}`;
  return (
    <Facts
      items={[
        [
          words.transaction,
          transaction === null ? null : (
            <Anchor
              component={Link}
              underline="always"
              fw={600}
              key="transaction"
              href={`${base}/transactions/${transaction.id}`}
            >
              {transaction.orderId}
            </Anchor>
          ),
        ],
        [words.merchant, page === null ? (merchant?.name ?? null) : null],
        [words.receipt, copyable(receiptId, words.receipt)],
      ]}
    />
  );
}
