import { Group, Text } from '@mantine/core';
import { ACQUIRER_NAMES } from '../../../../kernel/acquirer.ts';
import { format, inThrees } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { Attempt, Detail, Receipt } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';
import { TIMELINE_TEXTS } from './timeline-texts.ts';

export function Attempts({ detail }: { readonly detail: Detail }) {
  const { reasons, endings } = TIMELINE_TEXTS;
  const whys = { ...endings, ...reasons };
  const columns: Column<Attempt>[] = [
    { key: 'method', label: TEXTS.method, cell: (attempt) => <Method of={attempt} /> },
    { key: 'to', label: TEXTS.to, cell: (attempt) => <Target attempt={attempt} /> },
    {
      key: 'state',
      label: TEXTS.state,
      cell: ({ state, endReason }) => (
        <span>
          <StateBadge state={state} />
          {endReason !== null && <div className={css.soft}>{whys[endReason]}</div>}
        </span>
      ),
    },
    { key: 'begun', label: TEXTS.begun, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      key: 'ended',
      label: TEXTS.ended,
      cell: ({ endedAt }) => (endedAt === null ? '–' : <Time at={endedAt} />),
    },
  ];
  return (
    <Card title={TEXTS.attempts} flush={detail.attempts.length > 0}>
      {detail.attempts.length === 0 ? (
        <Text c="dimmed">{TEXTS.noAttempts}</Text>
      ) : (
        <Rows
          columns={columns}
          rows={detail.attempts.toReversed()}
          rowKey={({ attemptId }) => attemptId}
          label={TEXTS.attempts}
        />
      )}
    </Card>
  );
}

function Method({ of: { method, acquirer } }: { readonly of: Pick<Receipt, 'method' | 'acquirer'> }) {
  return (
    <span>
      {method === null ? '–' : TEXTS.methods[method]}
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
  const columns: Column<Receipt>[] = [
    { key: 'amount', label: TEXTS.amount, cell: (receipt) => <Amount receipt={receipt} /> },
    { key: 'method', label: TEXTS.method, cell: (receipt) => <Method of={receipt} /> },
    { key: 'paid', label: TEXTS.paidAtBank, cell: ({ paidAt }) => <Time at={paidAt} /> },
    { key: 'recorded', label: TEXTS.recorded, cell: ({ recordedAt }) => <Time at={recordedAt} /> },
    { key: 'flags', label: TEXTS.notes, cell: (receipt) => <Special receipt={receipt} /> },
  ];
  return (
    <Card title={TEXTS.receipts} flush={detail.receipts.length > 0}>
      {detail.receipts.length === 0 ? (
        <Text c="dimmed">{TEXTS.noReceipts}</Text>
      ) : (
        <Rows
          columns={columns}
          rows={detail.receipts.toReversed()}
          rowKey={({ receiptId }) => receiptId}
          label={TEXTS.receipts}
        />
      )}
    </Card>
  );
}

/** The amount, and the fee and payout that the acquirer reported. */
function Amount({ receipt }: { readonly receipt: Receipt }) {
  const { amountCents, feeCents, netCents, valueDate } = receipt;
  return (
    <span className={css.received}>
      {format.euro(amountCents)}
      {feeCents !== null && <small>{TEXTS.fee(format.euro(feeCents))}</small>}
      {netCents !== null && <small>{TEXTS.net(format.euro(netCents))}</small>}
      {valueDate !== null && <small>{TEXTS.payout(format.day(valueDate))}</small>}
    </span>
  );
}

function Special({ receipt }: { readonly receipt: Receipt }) {
  if (receipt.flags.length === 0 && receipt.settlement === null) return '–';
  return (
    <Group gap="4px 6px" align="stretch">
      {receipt.flags.map((flag) => (
        <StateBadge key={flag} state={flag} />
      ))}
      {receipt.settlement !== null && <StateBadge state={receipt.settlement} />}
      {receipt.returnedCents !== null && <small>{TEXTS.returned(format.euro(receipt.returnedCents))}</small>}
    </Group>
  );
}
