import { Link } from 'wouter';
import { useTexts } from '../../lib/i18n.ts';
import { useSession } from '../../lib/session.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { AccessButton } from './access-button.tsx';
import css from './people.module.css';
import { ResetButton } from './reset-button.tsx';
import { TEXTS } from './texts.ts';
import type { Person } from './types.ts';

/** Further teams are only counted. */
const PLACES_SHOWN_MAX = 3;

/** The people with an account, and their actions. */
export function PeopleList({ rows }: { readonly rows: readonly Person[] }) {
  const words = useTexts(TEXTS);
  const columns = useColumns();
  return <Rows columns={columns} rows={rows} rowKey={(person) => person.userId} label={words.pages.people} />;
}

function useColumns(): Column<Person>[] {
  const words = useTexts(TEXTS);
  const { user } = useSession();
  return [
    {
      key: 'email',
      label: words.email,
      cell: (person) => <Who person={person} />,
    },
    { key: 'role', label: words.role, cell: (person) => <Places person={person} /> },
    { key: 'access', label: words.access, cell: (person) => <Access person={person} /> },
    {
      key: 'factor',
      label: words.factor,
      cell: ({ factor }) => <StateBadge state={factor ? 'factorOn' : 'factorOff'} />,
    },
    {
      key: 'buttons',
      label: '',
      align: 'right',
      cell: (person) => (
        <span className={css.buttons}>
          {person.active && <ResetButton person={person} />}
          {person.email !== user?.email && <AccessButton person={person} />}
        </span>
      ),
    },
  ];
}

function Who({ person: { email, signedInAt } }: { readonly person: Person }) {
  const words = useTexts(TEXTS);
  const { user } = useSession();
  return (
    <span className={css.who}>
      <span>
        <span className={css.email}>
          <Breakable text={email} />
        </span>
        {email === user?.email && <span className={css.soft}> ({words.you})</span>}
      </span>
      <span className={css.soft}>
        {signedInAt === null ? (
          words.never
        ) : (
          <>
            {words.seen} <Time at={signedInAt} as="ago" />
          </>
        )}
      </span>
    </span>
  );
}

/** The roles of a person. */
function Places({ person: { operator, memberships } }: { readonly person: Person }) {
  const words = useTexts(TEXTS);
  const more = memberships.length - PLACES_SHOWN_MAX;
  return (
    <span className={css.places}>
      {operator && <StateBadge state="operator" />}
      {!operator && memberships.length === 0 && <span className={css.soft}>{words.nowhere}</span>}
      {memberships.slice(0, PLACES_SHOWN_MAX).map(({ merchantId, name, role }) => (
        <span key={merchantId} className={css.place}>
          <Link href={`/m/${merchantId}/team`}>{name}</Link> <StateBadge state={role} />
        </span>
      ))}
      {more > 0 && <span className={css.soft}>{words.more(more)}</span>}
    </span>
  );
}

function Access({ person: { active, pending } }: { readonly person: Person }) {
  const { states } = useTexts(TEXTS);
  if (!active) return <Tone tone="bad">{states.out}</Tone>;
  return pending ? <Tone tone="wait">{states.pending}</Tone> : <Tone tone="good">{states.in}</Tone>;
}
