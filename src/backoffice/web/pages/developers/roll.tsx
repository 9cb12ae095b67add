import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import tones from '../../ui/tones.module.css';
import { useChange } from '../../ui/use-change.ts';
import css from './developers.module.css';
import { TEXTS } from './texts.ts';

const GRACES = ['0', '1', '24', '72', '168'] as const;
type Grace = (typeof GRACES)[number];
const HOUR_MS = 3_600_000;

/** A new key: one with a name, or one that replaces the old key after a grace period (null: none). */
export type Made = { readonly apiKey: string } & (
  | { readonly name: string }
  | { readonly oldUntil: number | null }
);

/** The dialog that creates a new key. */
export function Roll({ onMade }: { readonly onMade: (made: Made) => void }) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const roll = useChange(trpc.keys.roll);
  const [grace, setGrace] = useState<Grace>('24');
  const graceHours = Number(grace);
  const confirm = async () => {
    const { apiKey } = await roll.mutateAsync({ merchantId, graceHours });
    onMade({ apiKey, oldUntil: graceHours === 0 ? null : Date.now() + graceHours * HOUR_MS });
  };
  return (
    <Confirm
      title={words.dialog.title}
      confirmLabel={words.dialog.confirm}
      danger={grace === '0'}
      onConfirm={confirm}
      trigger={<SmallButton>{words.roll}</SmallButton>}
    >
      <Stack>
        <span>{words.dialog.body}</span>
        <Select
          label={words.dialog.grace}
          allowDeselect={false}
          data={GRACES.map((hours) => ({ value: hours, label: words.dialog.hours[hours] }))}
          value={grace}
          onChange={(value) => setGrace(value ?? '24')}
          description={grace === '0' ? words.dialog.now : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </Stack>
    </Confirm>
  );
}

/** Shows the new key. */
export function NewKey({ made, onDone }: { readonly made: Made; readonly onDone: () => void }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const oldKey = (until: number | null) =>
    until === null ? words.madeNow : words.madeOld(format.time(until));
  return (
    <div className={`${css.made} ${tones.good}`} role="status">
      <strong>{'name' in made ? words.named.made(made.name) : words.made}</strong>
      <Copyable value={made.apiKey} label={words.keyLabel} />
      <span>{'name' in made ? words.named.madeHint : `${words.madeHint} ${oldKey(made.oldUntil)}`}</span>
      <SmallButton onClick={onDone}>{words.done}</SmallButton>
    </div>
  );
}
