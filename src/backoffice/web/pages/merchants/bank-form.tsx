import { PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { TEXTS } from './texts.ts';

const METHOD_KEY = /^[A-Z]{3}-\d{6}$/;
const BACKOFFICE_KEY = /^\d{4}-\d{4}-\d{4}-\d{4}$/;
const ANTI_PHISHING_KEY = /^(?!0+$)[!-~]{8,100}$/;

interface Props {
  /** Null for the default account. */
  readonly merchantId: string | null;
  readonly name: string;
  readonly onClose: () => void;
}

/** The credentials of a bank account. */
function useKeys() {
  const words = useTexts(TEXTS);
  const like = (pattern: RegExp, fault: string) => (value: string) =>
    pattern.test(value.trim()) ? null : fault;
  return useForm({
    mode: 'uncontrolled',
    initialValues: { mbWayKey: '', mbKey: '', backofficeKey: '', antiPhishingKey: '' },
    validate: {
      mbWayKey: like(METHOD_KEY, words.keyForm),
      mbKey: like(METHOD_KEY, words.keyForm),
      backofficeKey: like(BACKOFFICE_KEY, words.backofficeForm),
      antiPhishingKey: like(ANTI_PHISHING_KEY, words.antiPhishingForm),
    },
  });
}

/** The form for bank credentials; they are never shown again. */
export function BankForm({ merchantId, name, onClose }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const client = useQueryClient();
  const fresh = useFresh();
  const set = useMutation(trpc.merchants.setBank.mutationOptions());
  const form = useKeys();
  const save = form.onSubmit(async (credentials) => {
    try {
      await fresh(() => set.mutateAsync({ merchantId, credentials }));
    } catch {
      // Shown above the button.
      return;
    }
    notifyDone(words.bankSaved);
    onClose();
    await client.invalidateQueries({ queryKey: trpc.merchants.pathKey() });
  });
  const field = { autoComplete: 'off', spellCheck: false } as const;
  return (
    <Dialog
      title={merchantId === null ? words.defaultTitle : `${words.bankTitle}: ${name}`}
      onClose={onClose}
    >
      <form onSubmit={(event) => void save(event)} noValidate>
        <Stack>
          <Text c="dimmed" size="sm">
            {words.bankText}
          </Text>
          <TextInput
            label={words.mbWayKey}
            placeholder="ABC-123456"
            data-autofocus
            {...field}
            {...form.getInputProps('mbWayKey')}
            key={form.key('mbWayKey')}
          />
          <TextInput
            label={words.mbKey}
            placeholder="ABC-123456"
            {...field}
            {...form.getInputProps('mbKey')}
            key={form.key('mbKey')}
          />
          <TextInput
            label={words.backofficeKey}
            placeholder="0000-0000-0000-0000"
            {...field}
            {...form.getInputProps('backofficeKey')}
            key={form.key('backofficeKey')}
          />
          <PasswordInput
            label={words.antiPhishingKey}
            description={words.antiPhishingForm}
            visibilityToggleButtonProps={{ 'aria-label': words.antiPhishingShow }}
            {...field}
            {...form.getInputProps('antiPhishingKey')}
            key={form.key('antiPhishingKey')}
          />
          <FormEnd error={set.error} label={words.save} busy={set.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
