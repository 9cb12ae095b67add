import { useTexts } from '../../lib/i18n.ts';
import { useSession } from '../../lib/session.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { RemoveButton } from './remove-button.tsx';
import { RoleButton } from './role-button.tsx';
import css from './team.module.css';
import { TEXTS } from './texts.ts';

type Member = RouterOutputs['team']['list']['members'][number];

/** The members of a merchant's team. */
export function Members({ members }: { readonly members: readonly Member[] }) {
  const words = useTexts(TEXTS);
  const columns = useColumns();
  return (
    <Card title={words.pages.people} flush>
      <Rows columns={columns} rows={members} rowKey={(row) => row.userId} label={words.pages.people} />
    </Card>
  );
}

function useColumns(): Column<Member>[] {
  const words = useTexts(TEXTS);
  const { user } = useSession();
  return [
    {
      key: 'email',
      label: words.email,
      cell: (row) => (
        <span className={css.person}>
          <strong>
            <Breakable text={row.email} />
          </strong>
          {row.email === user?.email && <span className={css.you}> ({words.you})</span>}
        </span>
      ),
    },
    { key: 'role', label: words.role, cell: (row) => <RoleButton member={row} /> },
    {
      key: 'factor',
      label: words.factor,
      cell: (row) => <StateBadge state={row.factor ? 'factorOn' : 'factorOff'} />,
    },
    {
      key: 'seen',
      label: words.seen,
      cell: (row) =>
        row.signedInAt === null ? (
          <span className={css.you}>{words.never}</span>
        ) : (
          <Time at={row.signedInAt} as="ago" />
        ),
    },
    { key: 'remove', label: '', align: 'right', cell: (row) => <RemoveButton member={row} /> },
  ];
}
