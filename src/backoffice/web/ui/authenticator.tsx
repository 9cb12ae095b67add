import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../lib/i18n.ts';
import { submitting } from '../lib/submitting.ts';
import { type RouterOutputs, trpc } from '../lib/trpc.ts';
import { CodeField } from './code-field.tsx';
import { CopyButton } from './copyable.tsx';
import { DialogForm } from './dialog-form.tsx';
import { QrCode } from './qr-code.tsx';
import { Hint } from './soft.tsx';

const TEXTS = texts({
  scan: [
    'Scan this code with your authenticator app, such as Google Authenticator, 1Password or Aegis.',
    'Leia este código com a sua aplicação de autenticação, como o Google Authenticator, o 1Password ou o Aegis.',
  ],
  qr: ['QR code for the authenticator app', 'Código QR para a aplicação de autenticação'],
  byHand: ['Or enter this key in the app:', 'Ou introduza esta chave na aplicação:'],
  key: ['the key', 'a chave'],
  thenType: ['Then enter the code shown in the app.', 'Depois introduza o código apresentado na aplicação.'],
  turnOn: ['Turn on', 'Ativar'],
});

export type NewFactor = RouterOutputs['account']['totpBegin'];

interface Props {
  readonly factor: NewFactor;
  /** Called with the recovery codes, which are shown once. */
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Shows a new TOTP secret as QR code and text; a valid code turns it on. */
export function Authenticator({ factor, onDone, onCancel }: Props) {
  const [code, setCode] = useState('');
  const enable = useMutation(trpc.account.totpEnable.mutationOptions());
  const submit = submitting(
    async () => {
      const { recoveryCodes } = await enable.mutateAsync({ code });
      onDone(recoveryCodes);
    },
    () => setCode(''),
  );
  return (
    <DialogForm onSubmit={submit} change={enable} label={TEXTS.turnOn} onCancel={onCancel}>
      <Text>{TEXTS.scan}</Text>
      <QrCode text={factor.uri} label={TEXTS.qr} />
      <div>
        <Hint>{TEXTS.byHand}</Hint>
        <Group gap={4} wrap="nowrap">
          <Text span ff="monospace" fz="0.92rem" style={{ overflowWrap: 'anywhere' }}>
            {inGroups(factor.secret)}
          </Text>
          <CopyButton value={factor.secret} label={TEXTS.key} />
        </Group>
      </div>
      <Text>{TEXTS.thenType}</Text>
      <CodeField label={TEXTS.code} value={code} onChange={setCode} autoFocus />
    </DialogForm>
  );
}

/** Groups of four are easier to type. */
function inGroups(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ');
}
