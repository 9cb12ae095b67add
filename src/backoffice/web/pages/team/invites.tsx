import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

type Invite = RouterOutputs['team']['list']['invites'][number];

/** Pending invitations. */
export function Invites({ invites }: { readonly invites: readonly Invite[] }) {
  const words = useTexts(TEXTS);
  const columns: Column<Invite>[] = [
    {
      key: 'email',
      label: words.email,
      cell: (row) => (
        <strong>
          <Breakable text={row.email} />
        </strong>
      ),
    },
    { key: 'role', label: words.role, cell: (row) => <StateBadge state={row.role} /> },
    { key: 'until', label: words.until, cell: (row) => <Time at={row.expiresAt} /> },
    { key: 'back', label: '', align: 'right', cell: (row) => <TakeBack invite={row} /> },
  ];
  return (
    <Card title={words.open} flush>
      <Rows columns={columns} rows={invites} rowKey={(row) => row.userId} label={words.open} />
    </Card>
  );
}

function TakeBack({ invite }: { readonly invite: Invite }) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const remove = useChange((trpc) => trpc.team.remove, { done: words.takenBack, notifies: true });
  return (
    <SmallButton
      loading={remove.isPending}
      aria-label={words.takeBackOf(invite.email)}
      onClick={() => remove.mutate({ merchantId, userId: invite.userId })}
    >
      {words.takeBack}
    </SmallButton>
  );
}
