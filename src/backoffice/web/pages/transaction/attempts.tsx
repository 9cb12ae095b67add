import { ACQUIRER_NAMES } from '../../../../kernel/acquirer.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { type Attempt, type Detail, inThrees } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';
import { TIMELINE_TEXTS } from './timeline-texts.ts';

/** The payment attempts. */
export function Attempts({ detail }: { readonly detail: Detail }) {
  const words = useTexts(TEXTS);
  const { reasons, endings } = useTexts(TIMELINE_TEXTS);
  const whys = { ...endings, ...reasons };
  const columns: Column<Attempt>[] = [
    {
      key: 'method',
      label: words.method,
      cell: ({ method, acquirer }) => (
        <span>
          {words.methods[method]}
          {acquirer !== null && <div className={css.soft}>{ACQUIRER_NAMES[acquirer]}</div>}
        </span>
      ),
    },
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
        <p className={css.empty}>{words.noAttempts}</p>
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

function Target({ attempt: { phoneNumber, entity, reference } }: { readonly attempt: Attempt }) {
  if (phoneNumber !== null) return inThrees(phoneNumber);
  return reference === null ? '–' : `${entity} · ${inThrees(reference)}`;
}
