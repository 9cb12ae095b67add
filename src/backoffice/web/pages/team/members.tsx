import { Box, Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { LinkDialog, type MadeLink } from '../../ui/link-dialog.tsx';
import { Opener } from '../../ui/opener.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge, useStateWord } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

type Member = RouterOutputs['team']['list']['members'][number];

/** The members of a merchant's team. */
export function Members({ members }: { readonly members: readonly Member[] }) {
  const words = useTexts(TEXTS);
  const { user } = useSession();
  const columns: Column<Member>[] = [
    {
      key: 'email',
      label: words.email,
      cell: (row) => (
        <Box component="span" display="inline-block" miw={160}>
          <strong>
            <Breakable text={row.email} />
          </strong>
          {row.email === user?.email && <Soft> ({words.you})</Soft>}
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
        row.signedInAt === null ? <Soft>{words.never}</Soft> : <Time at={row.signedInAt} as="ago" />,
    },
    { key: 'remove', label: '', align: 'right', cell: (row) => <RemoveButton member={row} /> },
  ];
  return (
    <Card title={words.pages.people} flush>
      <Rows columns={columns} rows={members} rowKey={(row) => row.userId} label={words.pages.people} />
    </Card>
  );
}

interface Props {
  readonly member: Member;
}

/** Removes a member after a confirmation. */
function RemoveButton({ member }: Props) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const { email, userId } = member;
  const remove = useChange(trpc.team.remove, { done: words.removed(email), also: ['session'] });
  return (
    <Confirm
      title={words.removeTitle(email)}
      confirmLabel={words.remove}
      danger
      onConfirm={() => remove.mutateAsync({ merchantId, userId })}
      trigger={<SmallButton aria-label={words.removeOf(email)}>{words.remove}</SmallButton>}
    >
      {email === user?.email ? words.ownRemoveText : words.removeText}
    </Confirm>
  );
}

/** A member's role, and a button that changes it after a confirmation. */
function RoleButton({ member: { userId, email, role } }: Props) {
  const words = useTexts(TEXTS);
  const stateWord = useStateWord();
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const setRole = useChange(trpc.team.setRole, { done: words.changed(email), also: ['session'] });
  const next = role === 'owner' ? 'viewer' : 'owner';
  return (
    <Group display="inline-flex" gap="4px 10px" style={{ justifyContent: 'inherit', whiteSpace: 'nowrap' }}>
      {stateWord(role)}
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

/** Opens the invitation dialog. */
export function InviteButton() {
  const words = useTexts(TEXTS);
  return (
    <Opener trigger={<Button leftSection={<IconUserPlus size={17} />}>{words.invite}</Button>}>
      {(close) => (
        <LinkDialog title={words.inviteTitle} madeTitle={words.linkTitle} onClose={close}>
          {(onMade) => <InviteForm onMade={onMade} onCancel={close} />}
        </LinkDialog>
      )}
    </Opener>
  );
}

interface FormProps {
  readonly onMade: (made: MadeLink) => void;
  readonly onCancel: () => void;
}

function InviteForm({ onMade, onCancel }: FormProps) {
  const words = useTexts(TEXTS);
  const stateWord = useStateWord();
  const { merchantId } = useMerchant();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'owner' | 'viewer'>('viewer');
  const invite = useChange(trpc.team.invite);
  const submit = submitting(async () => {
    const { link } = await invite.mutateAsync({ merchantId, email, role });
    onMade({ email, path: link });
  });
  return (
    <DialogForm onSubmit={submit} change={invite} label={words.invite} onCancel={onCancel}>
      <TextInput
        label={words.email}
        type="email"
        required
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Radio.Group
        label={words.role}
        value={role}
        onChange={(value) => setRole(value === 'owner' ? 'owner' : 'viewer')}
      >
        <Stack gap="sm" mt={8}>
          <Radio value="viewer" label={stateWord('viewer')} description={words.viewerText} />
          <Radio value="owner" label={stateWord('owner')} description={words.ownerText} />
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}

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
  const remove = useChange(trpc.team.remove, { done: words.takenBack, notifies: true });
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
