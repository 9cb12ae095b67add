import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { LinkDialog, type MadeLink } from '../../ui/link-dialog.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

/** Opens the invitation dialog. */
export function InviteButton() {
  const words = useTexts(TEXTS);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button leftSection={<IconUserPlus size={17} />} onClick={() => setOpened(true)}>
        {words.invite}
      </Button>
      {opened && (
        <LinkDialog title={words.inviteTitle} madeTitle={words.linkTitle} onClose={close}>
          {(onMade) => <InviteForm onMade={onMade} onCancel={close} />}
        </LinkDialog>
      )}
    </>
  );
}

interface FormProps {
  readonly onMade: (made: MadeLink) => void;
  readonly onCancel: () => void;
}

function InviteForm({ onMade, onCancel }: FormProps) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'owner' | 'viewer'>('viewer');
  const invite = useChange((trpc) => trpc.team.invite);
  const submit = submitting(async () => {
    const { link } = await invite.mutateAsync({ merchantId, email, role });
    onMade({ email, path: link });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={words.email}
          type="email"
          required
          withAsterisk={false}
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
            <Radio value="viewer" label={words.roles.viewer} description={words.viewerText} />
            <Radio value="owner" label={words.roles.owner} description={words.ownerText} />
          </Stack>
        </Radio.Group>
        <FormEnd error={invite.error} label={words.invite} busy={invite.isPending} onCancel={onCancel} />
      </Stack>
    </form>
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
