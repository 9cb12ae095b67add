import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useMerchant, useSession } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { notifyDone, notifyFault } from '../../ui/notify.ts';
import { type Column, Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { RemoveButton } from './remove-button.tsx';
import css from './team.module.css';
import { TEXTS } from './texts.ts';

interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: 'owner' | 'viewer';
  readonly totp: boolean;
  readonly signedInAt: number | null;
}

/** The members of a merchant's team. */
export function Members({ members }: { readonly members: readonly Member[] }) {
  const words = useTexts(TEXTS);
  const columns = useColumns();
  return (
    <Card title={words.members} flush>
      <Rows columns={columns} rows={members} rowKey={(row) => row.userId} label={words.members} />
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
        <span>
          <strong>{row.email}</strong>
          {row.email === user?.email && <span className={css.you}> ({words.you})</span>}
        </span>
      ),
    },
    { key: 'role', label: words.role, cell: (row) => <RoleSelect member={row} /> },
    { key: 'factor', label: words.factor, cell: (row) => <StateBadge state={row.totp ? 'on' : 'off'} /> },
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

function RoleSelect({ member }: { readonly member: Member }) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const fresh = useFresh();
  const setRole = useMutation(trpc.team.setRole.mutationOptions());
  const change = async (role: string) => {
    if (role !== 'owner' && role !== 'viewer') return;
    try {
      await fresh(() => setRole.mutateAsync({ merchantId, userId: member.userId, role }));
      notifyDone(words.changed(member.email));
    } catch (error) {
      notifyFault(error);
    }
    await queries.invalidateQueries(trpc.team.list.pathFilter());
    await queries.invalidateQueries(trpc.session.current.pathFilter());
  };
  return (
    <NativeSelect
      aria-label={words.changeRole(member.email)}
      size="xs"
      w={140}
      value={setRole.isPending ? setRole.variables.role : member.role}
      disabled={setRole.isPending}
      data={[
        { value: 'owner', label: words.roles.owner },
        { value: 'viewer', label: words.roles.viewer },
      ]}
      onChange={(event) => void change(event.currentTarget.value)}
    />
  );
}
