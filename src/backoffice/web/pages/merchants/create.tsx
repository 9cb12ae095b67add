import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { TbKey } from 'react-icons/tb';
import { REASON_TEXTS } from '../../lib/fault-texts.ts';
import { faultOf } from '../../lib/faults.ts';
import { currentLanguage, DOCS_PATH } from '../../lib/i18n.ts';
import { useServiceUrl } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { CopyAll } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './create-texts.ts';
import css from './merchants.module.css';
import type { HandOver } from './types.ts';

const NAME_MAX = 100;
const EMPTY = { name: '', domains: '', webhookUrl: '', ownerEmail: '' };

/** Creates a merchant, then shows its credentials once. */
export default function CreateMerchant({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<{ name: string; handOver: HandOver } | null>(null);
  return (
    <Dialog
      title={made === null ? TEXTS.title : TEXTS.madeTitle(made.name)}
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
  const create = useChange(trpc.merchants.create);
  const [trouble, setTrouble] = useState<unknown>(null);
  const form = useCreateForm();
  const submit = form.onSubmit(async (typed) => {
    setTrouble(null);
    try {
      onMade(typed.name.trim(), await create.mutateAsync(inputOf(typed)));
    } catch (error) {
      const faults = fieldFaults(error);
      const [first] = Object.keys(faults);
      if (first === undefined) return setTrouble(error);
      form.setErrors(faults);
      form.getInputNode(first)?.focus();
    }
  });
  return (
    <DialogForm
      onSubmit={(event) => void submit(event)}
      change={{ error: trouble, isPending: create.isPending }}
      label={TEXTS.create}
      onCancel={onCancel}
      noValidate
    >
      <TextInput
        label={TEXTS.name}
        description={TEXTS.nameHint}
        maxLength={NAME_MAX}
        {...form.getInputProps('name')}
        key={form.key('name')}
      />
      <Textarea
        label={TEXTS.pages.domains}
        description={TEXTS.domainsHint}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('domains')}
        key={form.key('domains')}
      />
      <TextInput
        label={TEXTS.webhook}
        description={TEXTS.webhookHint}
        placeholder="https://"
        type="url"
        {...form.getInputProps('webhookUrl')}
        key={form.key('webhookUrl')}
      />
      <TextInput
        label={TEXTS.owner}
        description={TEXTS.ownerHint}
        type="email"
        autoComplete="off"
        {...form.getInputProps('ownerEmail')}
        key={form.key('ownerEmail')}
      />
    </DialogForm>
  );
}

/** The fields and what the browser checks of them. */
function useCreateForm() {
  const reasons = REASON_TEXTS[currentLanguage()];
  return useForm({
    mode: 'uncontrolled',
    initialValues: EMPTY,
    validate: {
      name: (name) => (name.trim() === '' || name.trim().length > NAME_MAX ? TEXTS.nameMissing : null),
      domains: (domains) => (domainsOf(domains).length === 0 ? TEXTS.domainsMissing : null),
      webhookUrl: (url) => (/^(https:\/\/\S+)?$/i.test(url.trim()) ? null : reasons.url_scheme({})),
      ownerEmail: (email) => (/^([^\s@]+@[^\s@]+)?$/.test(email.trim()) ? null : reasons.email_invalid({})),
    },
  });
}

function inputOf({ name, domains, webhookUrl, ownerEmail }: typeof EMPTY) {
  return {
    name,
    domains: domainsOf(domains),
    ...(webhookUrl.trim() !== '' && { webhookUrl }),
    ...(ownerEmail.trim() !== '' && { ownerEmail }),
  };
}

/** Returns the server's errors by field; empty when the error does not concern the fields. */
function fieldFaults(error: unknown): Record<string, string> {
  const byField = Map.groupBy(faultOf(error).faults, ({ field }) => field);
  const sentences = [...byField].map(([field, faults]) => [
    field,
    // The field may contain several domains.
    faults.map(({ message, values: { domain } }) => (domain ? `${domain}: ${message}` : message)).join(' '),
  ]);
  return Object.fromEntries(sentences);
}

function domainsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '');
}

interface Props {
  readonly name: string;
  readonly handOver: HandOver;
  readonly onDone: () => void;
}

/** The details of a new merchant, as one text to copy. */
function Sheet({ name, handOver, onDone }: Props) {
  const { lines } = TEXTS;
  const serviceUrl = useServiceUrl();
  const { apiKey, invitation, merchantId, webhookSecret } = handOver;
  const entries: readonly (readonly [string, string])[] = [
    [lines.merchant, merchantId],
    [lines.api, `${serviceUrl}/api/v1`],
    [lines.docs, `${serviceUrl}${DOCS_PATH[currentLanguage()]}`],
    [lines.key, apiKey],
    [lines.secret, webhookSecret],
    invitation === null
      ? [TEXTS.product, `${serviceUrl}/backoffice`]
      : [lines.invitation, `${serviceUrl}${invitation}`],
  ];
  const body = entries.map(([label, value]) => `${label}\n${value}`).join('\n\n');
  const text = `${lines.heading(name)}\n\n${body}\n`;
  return (
    <Stack>
      <Alert color="yellow" icon={<TbKey size={18} aria-hidden />}>
        {TEXTS.once}
      </Alert>
      <section aria-label={TEXTS.sheet}>
        <pre className={css.sheet}>{text}</pre>
      </section>
      <Group justify="space-between">
        <CopyAll text={text} label={TEXTS.copyAll} copiedLabel={TEXTS.copied} />
        <Button onClick={onDone}>{TEXTS.done}</Button>
      </Group>
    </Stack>
  );
}
