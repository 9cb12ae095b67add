import { Group, Text } from '@mantine/core';
import { ACQUIRER_NAMES } from '../../../../kernel/acquirer.ts';
import { inThrees, useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { Attempt, Detail, Receipt } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';
import { TIMELINE_TEXTS } from './timeline-texts.ts';

/** The payment attempts. */
export function Attempts({ detail }: { readonly detail: Detail }) {
  const words = useTexts(TEXTS);
  const { reasons, endings } = useTexts(TIMELINE_TEXTS);
  const whys = { ...endings, ...reasons };
  const columns: Column<Attempt>[] = [
    { key: 'method', label: words.method, cell: (attempt) => <Method of={attempt} /> },
    { key: 'to', label: words.to, cell: (attempt) => <Target attempt={attempt} /> },
    {
      key: 'state',
      label: words.state,
      cell: ({ state, endReason }) => (
        <span>
          <StateBadge state={state} />
          {endReason !== null && <div className={css.soft}>{whys[endReason]}</div>}
        </span>
      ),
    },
    { key: 'begun', label: words.begun, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      key: 'ended',
      label: words.ended,
      cell: ({ endedAt }) => (endedAt === null ? '–' : <Time at={endedAt} />),
    },
  ];
  return (
    <Card title={words.attempts} flush={detail.attempts.length > 0}>
      {detail.attempts.length === 0 ? (
        <Text c="dimmed">{words.noAttempts}</Text>
      ) : (
        <Rows
          columns={columns}
          rows={detail.attempts.toReversed()}
          rowKey={({ attemptId }) => attemptId}
          label={words.attempts}
        />
      )}
    </Card>
  );
}

function Method({ of: { method, acquirer } }: { readonly of: Pick<Receipt, 'method' | 'acquirer'> }) {
  const words = useTexts(TEXTS);
  return (
    <span>
      {method === null ? '–' : words.methods[method]}
      {acquirer !== null && <div className={css.soft}>{ACQUIRER_NAMES[acquirer]}</div>}
    </span>
  );
}

function Target({ attempt: { phoneNumber, entity, reference } }: { readonly attempt: Attempt }) {
  if (phoneNumber !== null) return inThrees(phoneNumber);
  return reference === null ? '–' : `${entity} · ${inThrees(reference)}`;
}

/** The payments received, as the bank recorded them. */
export function Receipts({ detail }: { readonly detail: Detail }) {
  const words = useTexts(TEXTS);
  const columns: Column<Receipt>[] = [
    { key: 'amount', label: words.amount, cell: (receipt) => <Amount receipt={receipt} /> },
    { key: 'method', label: words.method, cell: (receipt) => <Method of={receipt} /> },
    { key: 'paid', label: words.paidAtBank, cell: ({ paidAt }) => <Time at={paidAt} /> },
    { key: 'recorded', label: words.recorded, cell: ({ recordedAt }) => <Time at={recordedAt} /> },
    { key: 'flags', label: words.notes, cell: (receipt) => <Special receipt={receipt} /> },
  ];
  return (
    <Card title={words.receipts} flush={detail.receipts.length > 0}>
      {detail.receipts.length === 0 ? (
        <Text c="dimmed">{words.noReceipts}</Text>
      ) : (
        <Rows
          columns={columns}
          rows={detail.receipts.toReversed()}
          rowKey={({ receiptId }) => receiptId}
          label={words.receipts}
        />
      )}
    </Card>
  );
}

/** The amount, and the fee and payout that the acquirer reported. */
function Amount({ receipt }: { readonly receipt: Receipt }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { amountCents, feeCents, netCents, valueDate } = receipt;
  return (
    <span className={css.received}>
      {format.euro(amountCents)}
      {feeCents !== null && <small>{words.fee(format.euro(feeCents))}</small>}
      {netCents !== null && <small>{words.net(format.euro(netCents))}</small>}
      {valueDate !== null && <small>{words.payout(format.day(valueDate))}</small>}
    </span>
  );
}

function Special({ receipt }: { readonly receipt: Receipt }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  if (receipt.flags.length === 0 && receipt.settlement === null) return '–';
  return (
    <Group gap="4px 6px" align="stretch">
      {receipt.flags.map((flag) => (
        <StateBadge key={flag} state={flag} />
      ))}
      {receipt.settlement !== null && <StateBadge state={receipt.settlement} />}
      {receipt.returnedCents !== null && <small>{words.returned(format.euro(receipt.returnedCents))}</small>}
    </Group>
  );
}
