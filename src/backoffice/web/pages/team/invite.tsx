import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import css from './team.module.css';
import { TEXTS } from './texts.ts';

/** Opens the dialog that makes an invitation. */
export function InviteButton() {
  const words = useTexts(TEXTS);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button leftSection={<IconUserPlus size={17} />} onClick={() => setOpened(true)}>
        {words.invite}
      </Button>
      {opened && <InviteDialog onClose={() => setOpened(false)} />}
    </>
  );
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useTexts(TEXTS);
  const [made, setMade] = useState<{ email: string; link: string } | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={made === null ? words.inviteTitle : words.linkTitle}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {made === null ? (
        <InviteForm onMade={setMade} onCancel={onClose} />
      ) : (
        <Stack>
          <Text>{words.linkText(made.email)}</Text>
          <div className={css.link}>
            <Copyable value={made.link} label={words.link} />
          </div>
          <Group justify="flex-end">
            <Button onClick={onClose}>{words.done}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface FormProps {
  readonly onMade: (made: { email: string; link: string }) => void;
  readonly onCancel: () => void;
}

function InviteForm({ onMade, onCancel }: FormProps) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const fresh = useFresh();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'owner' | 'viewer'>('viewer');
  const invite = useMutation(trpc.team.invite.mutationOptions());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { link } = await fresh(() => invite.mutateAsync({ merchantId, email, role }));
      onMade({ email, link: window.location.origin + link });
      await queries.invalidateQueries(trpc.team.list.pathFilter());
    } catch {
      // The form shows what is wrong.
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
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
        <Trouble error={invite.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {words.make}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
