import { Anchor, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../lib/i18n.ts';

const TEXTS = texts({
  recovery: ['Recovery code', 'Código de recuperação'],
  useRecovery: ['Use a recovery code', 'Usar um código de recuperação'],
  useApp: ['Use the authenticator app', 'Usar a aplicação de autenticação'],
});
const RECOVERY_LENGTH_MAX = 30;

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** A field for a six-digit code; phones show the numeric keyboard. */
export function CodeField({ label, value, onChange, autoFocus = false }: Props) {
  return (
    <TextInput
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/[^\d ]/g, '').slice(0, 7))}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      required
      styles={{ input: { fontSize: '1.25rem', letterSpacing: '0.2em', maxWidth: 190 } }}
    />
  );
}

/** A field for a six-digit code, or for a recovery code in its place. */
export function SecondFactorField({ label, value, onChange, autoFocus = false }: Props) {
  const [byRecovery, setByRecovery] = useState(false);
  return (
    <Stack gap={6} align="stretch">
      {byRecovery ? (
        <TextInput
          label={TEXTS.recovery}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value.slice(0, RECOVERY_LENGTH_MAX))}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          autoFocus
          required
        />
      ) : (
        <CodeField label={label} value={value} onChange={onChange} autoFocus={autoFocus} />
      )}
      <Anchor
        component="button"
        type="button"
        size="sm"
        style={{ alignSelf: 'start' }}
        onClick={() => {
          onChange('');
          setByRecovery(!byRecovery);
        }}
      >
        {byRecovery ? TEXTS.useApp : TEXTS.useRecovery}
      </Anchor>
    </Stack>
  );
}
