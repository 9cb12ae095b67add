import { Text } from '@mantine/core';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import type { Detail } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';

/** Bank identifiers of attempts and receipts, for the operator. */
export function Internal({ detail }: { readonly detail: Detail }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const way = (method: string | null) => words.methods[method === 'REFERENCE' ? method : 'MBWAY'];
  const blocks = [
    ...detail.attempts.map(({ attemptId, method, createdAt, internal }) => ({
      id: attemptId,
      title: `${way(method)}, ${format.time(createdAt)}`,
      label: words.attemptNumber,
      internal,
    })),
    ...detail.receipts.map(({ receiptId, amountCents, recordedAt, internal }) => ({
      id: receiptId,
      title: `${format.euro(amountCents)}, ${format.time(recordedAt)}`,
      label: words.receipt,
      internal,
    })),
  ];
  if (blocks.every(({ internal }) => internal === null)) return null;
  return (
    <Card title={words.internal}>
      <div className={css.blocks}>
        {blocks.map(({ id, title, label, internal }) => (
          <section key={id} aria-label={`${label} ${title}`}>
            <Text component="h3" fz="0.95rem" fw={640} mb={10}>
              {title}
            </Text>
            <Facts
              items={[
                [label, <Copyable key="id" value={id} label={label.toLowerCase()} />],
                [words.bankOrder, internal?.bankOrderId ?? null],
                [words.bankRequest, internal?.requestId ?? null],
                [words.account, internal?.accountId ?? null],
              ]}
            />
          </section>
        ))}
      </div>
    </Card>
  );
}
