import { Box, Group, Text } from '@mantine/core';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
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
        <Box component="span" display="inline-block" miw={160}>
          <strong>
            <Breakable text={row.email} />
          </strong>
          {row.email === user?.email && (
            <Text span c="dimmed">
              {' '}
              ({words.you})
            </Text>
          )}
        </Box>
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
          <Text span c="dimmed">
            {words.never}
          </Text>
        ) : (
          <Time at={row.signedInAt} as="ago" />
        ),
    },
    { key: 'remove', label: '', align: 'right', cell: (row) => <RemoveButton member={row} /> },
  ];
}

interface Props {
  readonly member: { readonly userId: string; readonly email: string };
}

/** Removes a member after a confirmation. */
function RemoveButton({ member }: Props) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { email, userId } = member;
  const remove = useChange((trpc) => trpc.team.remove, { done: words.removed(email) });
  return (
    <Confirm
      title={words.removeTitle(email)}
      confirmLabel={words.remove}
      danger
      onConfirm={() => remove.mutateAsync({ merchantId, userId })}
      trigger={<SmallButton aria-label={words.removeOf(email)}>{words.remove}</SmallButton>}
    >
      {words.removeText}
    </Confirm>
  );
}

interface RoleButtonProps {
  readonly member: {
    readonly userId: string;
    readonly email: string;
    readonly role: 'owner' | 'viewer';
  };
}

/** A member's role, and a button that changes it after a confirmation. */
function RoleButton({ member: { userId, email, role } }: RoleButtonProps) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const setRole = useChange((trpc) => trpc.team.setRole, { done: words.changed(email), also: ['session'] });
  const next = role === 'owner' ? 'viewer' : 'owner';
  return (
    <Group display="inline-flex" gap="4px 10px" style={{ justifyContent: 'inherit', whiteSpace: 'nowrap' }}>
      {words.roles[role]}
      <Confirm
        title={words.roleTitle[next](email)}
        confirmLabel={words.makeRole[next]}
        danger={email === user?.email}
        onConfirm={() => setRole.mutateAsync({ merchantId, userId, role: next })}
        trigger={
          <SmallButton aria-label={`${words.makeRole[next]}: ${email}`}>{words.makeRole[next]}</SmallButton>
        }
      >
        {email === user?.email ? words.ownRoleText : words.roleText[next]}
      </Confirm>
    </Group>
  );
}
