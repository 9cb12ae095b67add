import { Box, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbUserPlus } from 'react-icons/tb';
import { useMerchant, useSession } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm, useAsOpened } from '../../ui/confirm.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { LinkDialog, type MadeLink } from '../../ui/link-dialog.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Opener } from '../../ui/opener.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge, stateWord } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

export default function TeamPage() {
  const { merchantId, role } = useMerchant();
  const owner = role === 'owner';
  const query = useQuery(trpc.team.list.queryOptions({ merchantId }, { enabled: owner }));
  if (!owner) {
    return (
      <Page title={TEXTS.pages.team}>
        <Empty title={TEXTS.ownersOnly}>{TEXTS.ownersOnlyText}</Empty>
      </Page>
    );
  }
  return (
    <Page title={TEXTS.pages.team} description={TEXTS.description} actions={<InviteButton />}>
      <Loaded query={query} skeleton={<LinesSkeleton lines={3} height={62} />}>
        {({ members, invites, requiresFactor }) => (
          <>
            <Members members={members} />
            {invites.length > 0 && <Invites invites={invites} />}
            <Factor required={requiresFactor} without={members.filter(({ factor }) => !factor).length} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly required: boolean;
  /** The members without two-factor authentication. */
  readonly without: number;
}

/** Requires two-factor authentication of all team members, or no longer does. */
function Factor({ required, without }: Props) {
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const [wasRequired, onOpen] = useAsOpened(required);
  const set = useChange(trpc.team.setFactor, {
    done: wasRequired ? TEXTS.factorFreed : TEXTS.factorRequired,
    also: ['session'],
  });
  const self = user?.totp !== true && user?.passkeys === 'none' && !user.operator;
  return (
    <Card title={TEXTS.factor}>
      <Group justify="space-between" gap="12px 24px">
        <Text c="dimmed" flex="1 1 280px">
          {required ? TEXTS.factorOn : TEXTS.factorOff(without)}
        </Text>
        <Confirm
          title={wasRequired ? TEXTS.freeTitle : TEXTS.requireTitle}
          confirmLabel={wasRequired ? TEXTS.free : TEXTS.require}
          danger={wasRequired}
          onConfirm={() => set.mutateAsync({ merchantId, required: !wasRequired })}
          onOpen={onOpen}
          trigger={<Button variant="default">{required ? TEXTS.free : TEXTS.require}</Button>}
        >
          {wasRequired ? TEXTS.freeText : self ? TEXTS.requireSelfText : TEXTS.requireText}
        </Confirm>
      </Group>
    </Card>
  );
}

type Member = RouterOutputs['team']['list']['members'][number];

function Members({ members }: { readonly members: readonly Member[] }) {
  const { user } = useSession();
  const columns: Column<Member>[] = [
    {
      key: 'email',
      label: TEXTS.email,
      cell: (row) => (
        <Box component="span" display="inline-block" miw={160}>
          <strong>
            <Breakable text={row.email} />
          </strong>
          {row.email === user?.email && <Soft> ({TEXTS.you})</Soft>}
        </Box>
      ),
    },
    { key: 'role', label: TEXTS.role, cell: (row) => <RoleButton member={row} /> },
    {
      key: 'factor',
      label: TEXTS.factor,
      cell: (row) => <StateBadge state={row.factor ? 'factorOn' : 'factorOff'} />,
    },
    {
      key: 'seen',
      label: TEXTS.seen,
      cell: (row) =>
        row.signedInAt === null ? <Soft>{TEXTS.never}</Soft> : <Time at={row.signedInAt} as="ago" />,
    },
    { key: 'remove', label: '', align: 'right', cell: (row) => <RemoveButton member={row} /> },
  ];
  return (
    <Card title={TEXTS.pages.people} flush>
      <Rows columns={columns} rows={members} rowKey={(row) => row.userId} label={TEXTS.pages.people} />
    </Card>
  );
}

interface MemberProps {
  readonly member: Member;
}

function RemoveButton({ member }: MemberProps) {
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const { email, userId } = member;
  const remove = useChange(trpc.team.remove, { done: TEXTS.removed(email), also: ['session'] });
  return (
    <Confirm
      title={TEXTS.removeTitle(email)}
      confirmLabel={TEXTS.remove}
      danger
      onConfirm={() => remove.mutateAsync({ merchantId, userId })}
      trigger={<SmallButton aria-label={TEXTS.removeOf(email)}>{TEXTS.remove}</SmallButton>}
    >
      {email === user?.email ? TEXTS.ownRemoveText : TEXTS.removeText}
    </Confirm>
  );
}

/** A member's role, and a button that changes it after a confirmation. */
function RoleButton({ member: { userId, email, role } }: MemberProps) {
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const setRole = useChange(trpc.team.setRole, { done: TEXTS.changed(email), also: ['session'] });
  const next = role === 'owner' ? 'viewer' : 'owner';
  const [asked, onOpen] = useAsOpened<'owner' | 'viewer'>(next);
  return (
    <Group display="inline-flex" gap="4px 10px" style={{ justifyContent: 'inherit', whiteSpace: 'nowrap' }}>
      {stateWord(role)}
      <Confirm
        title={TEXTS.roleTitle[asked](email)}
        confirmLabel={TEXTS.makeRole[asked]}
        danger={email === user?.email}
        onConfirm={() => setRole.mutateAsync({ merchantId, userId, role: asked })}
        onOpen={onOpen}
        trigger={
          <SmallButton aria-label={`${TEXTS.makeRole[next]}: ${email}`}>{TEXTS.makeRole[next]}</SmallButton>
        }
      >
        {email === user?.email ? TEXTS.ownRoleText : TEXTS.roleText[asked]}
      </Confirm>
    </Group>
  );
}

function InviteButton() {
  return (
    <Opener trigger={<Button leftSection={<TbUserPlus size={17} />}>{TEXTS.invite}</Button>}>
      {(close) => (
        <LinkDialog title={TEXTS.inviteTitle} madeTitle={TEXTS.linkTitle} onClose={close}>
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
  const { merchantId } = useMerchant();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'owner' | 'viewer'>('viewer');
  const invite = useChange(trpc.team.invite);
  const submit = submitting(async () => {
    const { link } = await invite.mutateAsync({ merchantId, email, role });
    onMade({ email, path: link });
  });
  return (
    <DialogForm onSubmit={submit} change={invite} label={TEXTS.invite} onCancel={onCancel}>
      <TextInput
        label={TEXTS.email}
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Radio.Group
        label={TEXTS.role}
        value={role}
        onChange={(value) => setRole(value === 'owner' ? 'owner' : 'viewer')}
      >
        <Stack gap="sm" mt={8}>
          <Radio value="viewer" label={stateWord('viewer')} description={TEXTS.viewerText} />
          <Radio value="owner" label={stateWord('owner')} description={TEXTS.ownerText} />
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}

type Invite = RouterOutputs['team']['list']['invites'][number];

function Invites({ invites }: { readonly invites: readonly Invite[] }) {
  const columns: Column<Invite>[] = [
    {
      key: 'email',
      label: TEXTS.email,
      cell: (row) => (
        <strong>
          <Breakable text={row.email} />
        </strong>
      ),
    },
    { key: 'role', label: TEXTS.role, cell: (row) => <StateBadge state={row.role} /> },
    { key: 'until', label: TEXTS.until, cell: (row) => <Time at={row.expiresAt} /> },
    { key: 'back', label: '', align: 'right', cell: (row) => <TakeBack invite={row} /> },
  ];
  return (
    <Card title={TEXTS.open} flush>
      <Rows columns={columns} rows={invites} rowKey={(row) => row.userId} label={TEXTS.open} />
    </Card>
  );
}

function TakeBack({ invite }: { readonly invite: Invite }) {
  const { merchantId } = useMerchant();
  const remove = useChange(trpc.team.remove, { done: TEXTS.takenBack, notifies: true });
  return (
    <SmallButton
      loading={remove.isPending}
      aria-label={TEXTS.takeBackOf(invite.email)}
      onClick={() => remove.mutate({ merchantId, userId: invite.userId, invitation: true })}
    >
      {TEXTS.takeBack}
    </SmallButton>
  );
}
