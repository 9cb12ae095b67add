import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import css from './people.module.css';
import { TEXTS } from './texts.ts';
import type { Person } from './types.ts';

/** Opens the dialog that makes a link for a new password. */
export function ResetButton({ person }: { readonly person: Person }) {
  const words = useTexts(TEXTS);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={words.resetOf(person.email)}
        onClick={() => setOpened(true)}
      >
        {words.reset}
      </Button>
      {opened && <ResetDialog person={person} onClose={() => setOpened(false)} />}
    </>
  );
}

function ResetDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const words = useTexts(TEXTS);
  const [link, setLink] = useState<string | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={link === null ? words.resetTitle : words.linkTitle}
      closeButtonProps={{ 'aria-label': words.close }}
      // The link is shown once: a click beside it must not lose it.
      closeOnClickOutside={link === null}
      closeOnEscape={link === null}
    >
      {link === null ? (
        <ResetForm person={person} onMade={setLink} onCancel={onClose} />
      ) : (
        <Stack>
          <Text>{words.linkText(person.email)}</Text>
          <div className={css.link}>
            <Copyable value={link} label={words.link} />
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
  readonly person: Person;
  readonly onMade: (link: string) => void;
  readonly onCancel: () => void;
}

function ResetForm({ person: { userId, email, totp }, onMade, onCancel }: FormProps) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const fresh = useFresh();
  const [removesTotp, setRemovesTotp] = useState(false);
  const reset = useMutation(trpc.users.resetLink.mutationOptions());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { link } = await fresh(() => reset.mutateAsync({ userId, totp: removesTotp }));
      onMade(window.location.origin + link);
    } catch {
      // The form shows what is wrong.
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text>{words.resetText(email)}</Text>
        {totp && (
          <Checkbox
            label={words.totp}
            description={words.totpText}
            checked={removesTotp}
            onChange={(event) => setRemovesTotp(event.currentTarget.checked)}
          />
        )}
        <Trouble error={reset.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={reset.isPending}>
            {words.make}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
