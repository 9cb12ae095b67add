import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { RefundPanel } from '../refunds/panel.tsx';
import type { Detail } from './data.ts';
import { TEXTS } from './texts.ts';

/** The refunds of each payment received. */
export function Refunds({ detail }: { readonly detail: Detail }) {
  const words = useTexts(TEXTS);
  if (detail.receipts.length === 0) return null;
  return (
    <Card title={words.pages.refunds}>
      {detail.receipts.toReversed().map(({ receiptId }) => (
        <RefundPanel key={receiptId} receiptId={receiptId} />
      ))}
    </Card>
  );
}
