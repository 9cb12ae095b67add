import { Box, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
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
import { StateBadge, useStateWord } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

export default function TeamPage() {
  const words = useTexts(TEXTS);
  const { merchantId, role } = useMerchant();
  const owner = role === 'owner';
  const query = useQuery(trpc.team.list.queryOptions({ merchantId }, { enabled: owner }));
  if (!owner) {
    return (
      <Page title={words.pages.team}>
        <Empty title={words.ownersOnly}>{words.ownersOnlyText}</Empty>
      </Page>
    );
  }
  return (
    <Page title={words.pages.team} description={words.description} actions={<InviteButton />}>
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
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const [wasRequired, onOpen] = useAsOpened(required);
  const set = useChange(trpc.team.setFactor, {
    done: wasRequired ? words.factorFreed : words.factorRequired,
    also: ['session'],
  });
  const self = user?.totp !== true && user?.passkeys === 'none' && !user.operator;
  return (
    <Card title={words.factor}>
      <Group justify="space-between" gap="12px 24px">
        <Text c="dimmed" flex="1 1 280px">
          {required ? words.factorOn : words.factorOff(without)}
        </Text>
        <Confirm
          title={wasRequired ? words.freeTitle : words.requireTitle}
          confirmLabel={wasRequired ? words.free : words.require}
          danger={wasRequired}
          onConfirm={() => set.mutateAsync({ merchantId, required: !wasRequired })}
          onOpen={onOpen}
          trigger={<Button variant="default">{required ? words.free : words.require}</Button>}
        >
          {wasRequired ? words.freeText : self ? words.requireSelfText : words.requireText}
        </Confirm>
      </Group>
    </Card>
  );
}

type Member = RouterOutputs['team']['list']['members'][number];

/** The members of a merchant's team. */
function Members({ members }: { readonly members: readonly Member[] }) {
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

interface MemberProps {
  readonly member: Member;
}

/** Removes a member after a confirmation. */
function RemoveButton({ member }: MemberProps) {
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
function RoleButton({ member: { userId, email, role } }: MemberProps) {
  const words = useTexts(TEXTS);
  const stateWord = useStateWord();
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const setRole = useChange(trpc.team.setRole, { done: words.changed(email), also: ['session'] });
  const next = role === 'owner' ? 'viewer' : 'owner';
  const [asked, onOpen] = useAsOpened<'owner' | 'viewer'>(next);
  return (
    <Group display="inline-flex" gap="4px 10px" style={{ justifyContent: 'inherit', whiteSpace: 'nowrap' }}>
      {stateWord(role)}
      <Confirm
        title={words.roleTitle[asked](email)}
        confirmLabel={words.makeRole[asked]}
        danger={email === user?.email}
        onConfirm={() => setRole.mutateAsync({ merchantId, userId, role: asked })}
        onOpen={onOpen}
        trigger={
          <SmallButton aria-label={`${words.makeRole[next]}: ${email}`}>{words.makeRole[next]}</SmallButton>
        }
      >
        {email === user?.email ? words.ownRoleText : words.roleText[asked]}
      </Confirm>
    </Group>
  );
}

/** Opens the invitation dialog. */
function InviteButton() {
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
function Invites({ invites }: { readonly invites: readonly Invite[] }) {
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
