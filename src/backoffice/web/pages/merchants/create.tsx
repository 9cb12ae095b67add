import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { faultOf } from '../../lib/faults.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { TEXTS } from './create-texts.ts';
import { Sheet } from './sheet.tsx';
import type { HandOver } from './types.ts';

const NAME_MAX = 100;

/** Creates a merchant, then shows its credentials once. */
export function CreateMerchant({ onClose }: { readonly onClose: () => void }) {
  const words = useTexts(TEXTS);
  const [made, setMade] = useState<{ name: string; handOver: HandOver } | null>(null);
  return (
    <Dialog
      title={made === null ? words.title : words.madeTitle(made.name)}
      onClose={onClose}
      size="lg"
      guarded={made !== null}
    >
      {made === null ? (
        <CreateForm onMade={(name, handOver) => setMade({ name, handOver })} onCancel={onClose} />
      ) : (
        <Sheet name={made.name} handOver={made.handOver} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly onMade: (name: string, handOver: HandOver) => void;
  readonly onCancel: () => void;
}

function CreateForm({ onMade, onCancel }: FormProps) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const client = useQueryClient();
  const fresh = useFresh();
  const create = useMutation(trpc.merchants.create.mutationOptions());
  const [trouble, setTrouble] = useState<unknown>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', domains: '', webhookUrl: '', ownerEmail: '' },
    validate: {
      name: (name) => (name.trim() === '' || name.trim().length > NAME_MAX ? words.nameMissing : null),
      domains: (domains) => (domainsOf(domains).length === 0 ? words.domainsMissing : null),
    },
  });
  const submit = form.onSubmit(async (typed) => {
    setTrouble(null);
    try {
      onMade(typed.name.trim(), await fresh(() => create.mutateAsync(inputOf(typed))));
    } catch (error) {
      const fault = fieldFault(error);
      if (fault === null) return setTrouble(error);
      form.setFieldError(fault.field, fault.sentence);
      form.getInputNode(fault.field)?.focus();
      return;
    }
    await client.invalidateQueries({ queryKey: trpc.merchants.pathKey() });
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextInput
          label={words.name}
          description={words.nameHint}
          maxLength={NAME_MAX}
          data-autofocus
          {...form.getInputProps('name')}
          key={form.key('name')}
        />
        <Textarea
          label={words.domains}
          description={words.domainsHint}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          {...form.getInputProps('domains')}
          key={form.key('domains')}
        />
        <TextInput
          label={words.webhook}
          description={words.webhookHint}
          placeholder="https://"
          type="url"
          {...form.getInputProps('webhookUrl')}
          key={form.key('webhookUrl')}
        />
        <TextInput
          label={words.owner}
          description={words.ownerHint}
          type="email"
          autoComplete="off"
          {...form.getInputProps('ownerEmail')}
          key={form.key('ownerEmail')}
        />
        <FormEnd error={trouble} label={words.create} busy={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface Typed {
  readonly name: string;
  readonly domains: string;
  readonly webhookUrl: string;
  readonly ownerEmail: string;
}

function inputOf({ name, domains, webhookUrl, ownerEmail }: Typed) {
  return {
    name,
    domains: domainsOf(domains),
    ...(webhookUrl.trim() !== '' && { webhookUrl }),
    ...(ownerEmail.trim() !== '' && { ownerEmail }),
  };
}

const FIELDS = ['name', 'domains', 'webhookUrl', 'ownerEmail'];
/** Maps the server's field names to the form's. */
const FORM_FIELD: Record<string, string> = { domain: 'domains', url: 'webhookUrl' };

/** Returns the server's error for one field; null when it concerns another. */
function fieldFault(error: unknown): { field: string; sentence: string } | null {
  const { fields, message, values } = faultOf(error);
  const [named = ''] = fields[0]?.split('.') ?? [];
  const field = FORM_FIELD[named] ?? named;
  if (!FIELDS.includes(field)) return null;
  // The field may contain several domains.
  return { field, sentence: values.domain === undefined ? message : `${values.domain}: ${message}` };
}

function domainsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '');
}
