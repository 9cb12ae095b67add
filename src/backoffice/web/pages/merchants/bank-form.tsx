import { PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import {
  ACQUIRER_NAMES,
  ACQUIRERS,
  type Acquirer,
  EUPAGO_KEYS,
  IFTHENPAY_KEYS,
} from '../../../../kernel/acquirer.ts';
import { trpc } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Hint } from '../../ui/soft.tsx';
import { useChange } from '../../ui/use-change.ts';
import { BANK_TEXTS } from './bank-texts.ts';

interface Field {
  readonly name: keyof typeof BANK_TEXTS.fields;
  readonly rule: keyof typeof BANK_TEXTS.rules;
  readonly placeholder?: string;
  /** Fields with masked input. */
  readonly secret?: boolean;
}

const RULES: Readonly<Record<Field['rule'], Pick<RegExp, 'test'>>> = {
  method: IFTHENPAY_KEYS.method,
  backoffice: IFTHENPAY_KEYS.backoffice,
  antiPhishing: IFTHENPAY_KEYS.antiPhishing,
  printable: EUPAGO_KEYS.printable,
  webhook: { test: (value) => new TextEncoder().encode(value).length === EUPAGO_KEYS.webhookBytes },
};

/** The credentials of each acquirer. */
const FIELDS: Readonly<Record<Acquirer, readonly Field[]>> = {
  ifthenpay: [
    { name: 'mbWayKey', rule: 'method', placeholder: 'ABC-123456' },
    { name: 'mbKey', rule: 'method', placeholder: 'ABC-123456' },
    { name: 'backofficeKey', rule: 'backoffice', placeholder: '0000-0000-0000-0000' },
    { name: 'antiPhishingKey', rule: 'antiPhishing', secret: true },
  ],
  eupago: [
    { name: 'apiKey', rule: 'printable', placeholder: 'xxxx-xxxx-xxxx-xxxx-xxxx' },
    { name: 'clientId', rule: 'printable' },
    { name: 'clientSecret', rule: 'printable', secret: true },
    { name: 'webhookKey', rule: 'webhook', secret: true },
  ],
};

interface Props {
  /** Null for a default account. */
  readonly merchantId: string | null;
  readonly name: string;
  /** The acquirer chosen first. */
  readonly standard: Acquirer;
  readonly onClose: () => void;
}

/** The form for bank credentials; they are never shown again. */
export function BankForm({ merchantId, name, standard, onClose }: Props) {
  const [acquirer, setAcquirer] = useState(standard);
  return (
    <Dialog
      title={merchantId === null ? BANK_TEXTS.defaultTitle : `${BANK_TEXTS.bankTitle}: ${name}`}
      onClose={onClose}
    >
      <Stack>
        <Hint>{BANK_TEXTS.bankText}</Hint>
        <Select
          label={BANK_TEXTS.acquirer}
          data={ACQUIRERS.map((value) => ({ value, label: ACQUIRER_NAMES[value] }))}
          allowDeselect={false}
          value={acquirer}
          onChange={(value) => setAcquirer(value ?? acquirer)}
        />
        {merchantId !== null && <Text size="sm">{BANK_TEXTS.routesBoth(ACQUIRER_NAMES[acquirer])}</Text>}
        <Credentials key={acquirer} acquirer={acquirer} merchantId={merchantId} onClose={onClose} />
      </Stack>
    </Dialog>
  );
}

interface CredentialsProps extends Pick<Props, 'merchantId' | 'onClose'> {
  readonly acquirer: Acquirer;
}

function Credentials({ acquirer, merchantId, onClose }: CredentialsProps) {
  const set = useChange(trpc.merchants.setBank, { done: BANK_TEXTS.bankSaved });
  const fields = FIELDS[acquirer];
  const form = useForm<Record<string, string>>({
    mode: 'uncontrolled',
    initialValues: Object.fromEntries(fields.map((field) => [field.name, ''])),
    validate: Object.fromEntries(
      fields.map((field) => [
        field.name,
        (value: string) => (RULES[field.rule].test(value.trim()) ? null : BANK_TEXTS.rules[field.rule]),
      ]),
    ),
  });
  const save = form.onSubmit((credentials) =>
    set.mutate({ merchantId, acquirer, credentials }, { onSuccess: onClose }),
  );
  return (
    <DialogForm onSubmit={save} change={set} label={BANK_TEXTS.save} onCancel={onClose} noValidate>
      {fields.map(({ name, rule, placeholder, secret }) => {
        const common = {
          label: BANK_TEXTS.fields[name],
          autoComplete: 'off',
          spellCheck: false,
          ...form.getInputProps(name),
        };
        return secret === true ? (
          <PasswordInput
            key={form.key(name)}
            description={BANK_TEXTS.rules[rule]}
            visibilityToggleButtonProps={{ 'aria-label': BANK_TEXTS.showKey }}
            {...common}
          />
        ) : (
          <TextInput key={form.key(name)} placeholder={placeholder} {...common} />
        );
      })}
      <Text size="sm">{BANK_TEXTS.callback[acquirer]}</Text>
    </DialogForm>
  );
}
