import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import css from './exceptions.module.css';
import { TEXTS } from './texts.ts';
import type { CaseLine } from './types.ts';

interface Props {
  readonly rows: readonly CaseLine[];
  readonly onOpen: (receiptId: string) => void;
}

/** The list of cases. */
export function CaseList({ rows, onOpen }: Props) {
  const words = useTexts(TEXTS);
  return (
    <ul className={css.list} aria-label={words.cases}>
      {rows.map((row) => (
        <li key={row.receiptId}>
          <button type="button" className={css.case} onClick={() => onOpen(row.receiptId)}>
            <CaseFace row={row} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function CaseFace({ row }: { readonly row: CaseLine }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const settled = row.settlement !== null && row.settledAt !== null;
  return (
    <>
      <span className={css.amount}>{format.euro(row.amountCents)}</span>
      <span className={css.middle}>
        <span className={css.badges}>
          {row.flags.map((flag) => (
            <StateBadge key={flag} state={flag} />
          ))}
          {row.settlement !== null && <StateBadge state={row.settlement} />}
        </span>
        <Sentence row={row} />
        <Whose row={row} />
      </span>
      <span className={css.age}>
        <span className={css.ageLabel}>{settled ? words.settledAt : words.came}</span>
        <span className={css.ageValue}>
          <Time at={settled ? (row.settledAt ?? 0) : row.recordedAt} as="ago" />
        </span>
      </span>
    </>
  );
}

function Sentence({ row }: { readonly row: CaseLine }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const flag = row.flags.find((known) => known !== 'late') ?? row.flags[0];
  const due = row.transaction?.amountCents ?? 0;
  const parts: string[] = [words.short[flag ?? 'assigned']];
  if (row.missingCents !== null) {
    const { receivedCents, missingCents } = row;
    const isPart = receivedCents !== row.amountCents;
    if (isPart) parts.push(words.together(format.euro(receivedCents), format.euro(due)));
    if (missingCents > 0) parts.push(words.missing(format.euro(missingCents)));
    else parts.push(words.complete);
  } else if (flag === 'over' && row.settlement === null && row.transaction !== null) {
    parts.push(words.surplus(format.euro(row.amountCents - due)));
  }
  return <span className={css.sentence}>{parts.join(': ')}</span>;
}

function Whose({ row }: { readonly row: CaseLine }) {
  const words = useTexts(TEXTS);
  const across = usePageMerchant() === null;
  const reference = row.method === 'REFERENCE' && row.reference !== null ? ` ${row.reference}` : '';
  const parts = [
    across ? row.merchant?.name : null,
    row.transaction === null ? null : `${words.order} ${row.transaction.orderId}`,
    `${words.methods[row.method ?? 'none']}${reference}`,
  ].filter((part) => part !== null && part !== undefined);
  const { name, phone, email } = row.customer ?? {};
  const contact = [name, phone, email].filter((part) => part !== null && part !== undefined);
  return (
    <>
      <span className={css.whose}>
        <Breakable text={parts.join(' · ')} />
      </span>
      {contact.length > 0 && (
        <span className={css.whose}>
          <Breakable text={contact.join(' · ')} />
        </span>
      )}
    </>
  );
}
