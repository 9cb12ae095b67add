import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceOf } from '../lib/device.ts';
import { texts } from '../lib/i18n.ts';
import { createPasskey } from '../lib/passkeys.ts';
import { submitting } from '../lib/submitting.ts';
import { trpc } from '../lib/trpc.ts';
import { DialogForm } from './dialog-form.tsx';
import { useChange } from './use-change.ts';

const TEXTS = texts({
  text: [
    'Your browser asks where to store the passkey: on this device, on your phone or on a security key.',
    'O navegador pergunta onde guardar a chave de acesso: neste dispositivo, no telemóvel ou numa chave de segurança.',
  ],
  name: ['Name of the passkey', 'Nome da chave de acesso'],
  nameText: ['So that you recognise it in your account.', 'Para a reconhecer na sua conta.'],
});
const NAME_LENGTH_MAX = 60;

interface Props {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Names a new passkey and has the browser make it. */
export function AddPasskey({ onDone, onCancel }: Props) {
  const [name, setName] = useState(deviceOf(navigator.userAgent)?.system ?? '');
  const begin = useMutation(trpc.account.passkeyBegin.mutationOptions());
  const add = useChange(trpc.account.passkeyAdd, { also: ['session'] });
  const adding = useMutation({
    mutationFn: async () => {
      const response = await createPasskey(await begin.mutateAsync());
      await add.mutateAsync({ name, response });
    },
    onSuccess: onDone,
  });
  return (
    <DialogForm
      onSubmit={submitting(adding.mutateAsync)}
      change={adding}
      label={TEXTS.continue}
      onCancel={onCancel}
      disabled={name.trim() === ''}
    >
      <Text c="dimmed">{TEXTS.text}</Text>
      <TextInput
        label={TEXTS.name}
        description={TEXTS.nameText}
        autoComplete="off"
        required
        maxLength={NAME_LENGTH_MAX}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
