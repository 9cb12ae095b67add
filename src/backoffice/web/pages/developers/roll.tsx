import { Select, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { format } from '../../lib/format.ts';
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
      title={TEXTS.dialog.title}
      confirmLabel={TEXTS.dialog.confirm}
      danger={grace === '0'}
      onConfirm={confirm}
      trigger={<SmallButton>{TEXTS.roll}</SmallButton>}
    >
      <Stack>
        <span>{TEXTS.dialog.body}</span>
        <Select
          label={TEXTS.dialog.grace}
          allowDeselect={false}
          data={GRACES.map((hours) => ({ value: hours, label: TEXTS.dialog.hours[hours] }))}
          value={grace}
          onChange={(value) => setGrace(value ?? '24')}
          description={grace === '0' ? TEXTS.dialog.now : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </Stack>
    </Confirm>
  );
}

export function NewKey({ made, onDone }: { readonly made: Made; readonly onDone: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new key is shown
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [made]);
  const oldKey = (until: number | null) =>
    until === null ? TEXTS.madeNow : TEXTS.madeOld(format.time(until));
  return (
    <div ref={box} className={`${css.made} ${tones.good}`} role="status">
      <strong style={{ fontSize: '1.05rem' }}>
        {'name' in made ? TEXTS.named.made(made.name) : TEXTS.made}
      </strong>
      <Copyable value={made.apiKey} label={TEXTS.keyLabel} />
      <span>{'name' in made ? TEXTS.named.madeHint : `${TEXTS.madeHint} ${oldKey(made.oldUntil)}`}</span>
      <SmallButton onClick={onDone}>{TEXTS.done}</SmallButton>
    </div>
  );
}
