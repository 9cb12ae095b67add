import type { ListedTransaction } from '../../../transactions/view.ts';
import { inThrees } from '../../lib/format.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { Money } from '../../ui/money.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { TEXTS } from './texts.ts';
import css from './transactions.module.css';

interface Props {
  readonly rows: readonly ListedTransaction[];
  readonly href: (row: ListedTransaction) => string;
}

export function TransactionList({ rows, href }: Props) {
  const across = usePageMerchant() === null;
  const columns: Column<ListedTransaction>[] = [
    {
      key: 'order',
      label: TEXTS.order,
      cell: (row) => (
        <span className={css.order} title={row.orderId}>
          {row.orderId}
        </span>
      ),
    },
    { key: 'customer', label: TEXTS.customer, cell: (row) => <Customer row={row} /> },
    ...(across ? [{ key: 'merchant', label: TEXTS.merchant, cell: merchantOf }] : []),
    { key: 'method', label: TEXTS.method, wideOnly: true, cell: (row) => <Method row={row} /> },
    { key: 'state', label: TEXTS.state, cell: (row) => <States row={row} /> },
    { key: 'created', label: TEXTS.created, cell: (row) => <Time soft at={row.createdAt} /> },
    { key: 'amount', label: TEXTS.amount, align: 'right', cell: (row) => <Money cents={row.amountCents} /> },
  ];
  return (
    <div className={across ? `${css.wide} ${css.across}` : css.wide}>
      <Rows
        columns={columns}
        rows={rows}
        rowKey={(row) => row.transactionId}
        href={href}
        label={TEXTS.list}
      />
    </div>
  );
}

function merchantOf({ merchantName }: ListedTransaction) {
  return (
    <span className={css.merchant} title={merchantName ?? ''}>
      {merchantName}
    </span>
  );
}

function Customer({ row }: { readonly row: ListedTransaction }) {
  if (row.customerName === null && row.customerEmail === null)
    return row.linkTitle === null ? (
      <span className={css.soft}>–</span>
    ) : (
      <span className={css.cutSoft}>{row.linkTitle}</span>
    );
  return (
    <span className={css.line}>
      <span className={css.cut}>{row.customerName ?? row.customerEmail}</span>
      {row.customerName !== null && row.customerEmail !== null && (
        <span className={css.cutSoft}>{row.customerEmail}</span>
      )}
    </span>
  );
}

function Method({ row }: { readonly row: ListedTransaction }) {
  if (row.method === null) return <span className={css.soft}>–</span>;
  const digits = row.method === 'MBWAY' ? row.phoneNumber : row.reference;
  const number = digits === null ? null : inThrees(digits);
  return (
    <span className={css.method} {...(row.entity !== null && { title: `${row.entity} · ${number}` })}>
      {TEXTS.methods[row.method]}
      {number && <span className={css.soft}> {number}</span>}
    </span>
  );
}

function States({ row }: { readonly row: ListedTransaction }) {
  return (
    <span className={css.states}>
      <StateBadge state={row.status} />
      {row.held && <StateBadge state="held" />}
      {row.refunded && <StateBadge state="refunded" />}
      {row.attention.map((flag) => (
        <StateBadge key={flag} state={flag} />
      ))}
    </span>
  );
}
