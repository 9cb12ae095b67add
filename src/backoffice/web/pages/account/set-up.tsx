import { Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { encode } from 'uqr';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { CopyButton } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import css from './account.module.css';
import { TEXTS } from './texts.ts';

export interface NewFactor {
  /** In base 32. */
  readonly secret: string;
  readonly uri: string;
}

interface Props {
  readonly factor: NewFactor;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Shows a new TOTP secret as QR code and text; a valid code turns it on. */
export function SetUp({ factor, onDone, onCancel }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const fresh = useFresh();
  const [code, setCode] = useState('');
  const enable = useMutation(trpc.account.totpEnable.mutationOptions());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await fresh(() => enable.mutateAsync({ code }));
      onDone();
    } catch {
      setCode('');
    }
  };
  return (
    <Dialog title={words.setUpTitle} onClose={onCancel}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text>{words.scan}</Text>
          <QrCode text={factor.uri} label={words.qr} />
          <div>
            <Text size="sm" c="dimmed">
              {words.byHand}
            </Text>
            <Group gap={4} wrap="nowrap">
              <span className={css.key}>{inGroups(factor.secret)}</span>
              <CopyButton value={factor.secret} label={words.key} />
            </Group>
          </div>
          <Text>{words.thenType}</Text>
          <CodeField label={words.code} value={code} onChange={setCode} autoFocus />
          <FormEnd error={enable.error} label={words.turnOn} busy={enable.isPending} onCancel={onCancel} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** Draws the QR code as one SVG path. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: 2 });
    const squares = code.data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size: code.size, path: squares.join('') };
  }, [text]);
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} fill="#101828" shapeRendering="crispEdges" />
    </svg>
  );
}

/** Groups of four are easier to type. */
function inGroups(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ');
}
