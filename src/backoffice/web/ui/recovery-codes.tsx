import { Alert, Button, Group, Stack } from '@mantine/core';
import { TbKey } from 'react-icons/tb';
import { texts } from '../lib/i18n.ts';
import css from './authenticator.module.css';
import { CopyAll } from './copyable.tsx';

const TEXTS = texts({
  text: [
    'Store these codes safely, for example in a password manager. If you lose your phone, each one replaces the code from the app once. They are shown only now.',
    'Guarde estes códigos em segurança, por exemplo num gestor de palavras-passe. Se perder o telemóvel, cada um substitui uma vez o código da aplicação. Só são mostrados agora.',
  ],
  list: ['Recovery codes', 'Códigos de recuperação'],
  copy: ['Copy all', 'Copiar todos'],
  copied: ['Copied', 'Copiados'],
  done: ['I have stored the codes', 'Já guardei os códigos'],
});

interface Props {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** New recovery codes, shown once. */
export function RecoveryCodes({ codes, onDone }: Props) {
  return (
    <Stack>
      <Alert color="yellow" icon={<TbKey size={18} aria-hidden />}>
        {TEXTS.text}
      </Alert>
      <ul className={css.codes} aria-label={TEXTS.list}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between">
        <CopyAll text={`${codes.join('\n')}\n`} label={TEXTS.copy} copiedLabel={TEXTS.copied} />
        <Button onClick={onDone}>{TEXTS.done}</Button>
      </Group>
    </Stack>
  );
}
