import { Select } from '@mantine/core';
import { useState } from 'react';
import { ACQUIRER_NAMES, ACQUIRERS, type Acquirer } from '../../../../kernel/acquirer.ts';
import { useTexts } from '../../lib/i18n.ts';
import { submitting } from '../../lib/submitting.ts';
import { trpc } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Hint } from '../../ui/soft.tsx';
import { useChange } from '../../ui/use-change.ts';
import { BANK_TEXTS } from './bank-texts.ts';
import type { Method, Route } from './types.ts';

export const ROUTED = { mbway: 'MBWAY', multibanco: 'REFERENCE' } as const;

interface Props {
  readonly merchantId: string;
  readonly method: Method;
  readonly route: Route;
  readonly onClose: () => void;
}

/** The form for the route of a method and its fallback. */
export function RouteForm({ merchantId, method, route, onClose }: Props) {
  const words = useTexts(BANK_TEXTS);
  const set = useChange(trpc.merchants.setRoute, { done: words.routeSaved });
  const [acquirer, setAcquirer] = useState<Acquirer>(route.acquirer);
  const [fallback, setFallback] = useState<Acquirer | null>(route.fallback);
  const choices = ACQUIRERS.map((value) => ({ value, label: ACQUIRER_NAMES[value] }));
  const others = choices.filter(({ value }) => value !== acquirer);
  const save = submitting(async () => {
    await set.mutateAsync({ merchantId, method: ROUTED[method], acquirer, fallback });
    onClose();
  });
  return (
    <Dialog title={words.routeTitle(words.methods[ROUTED[method]])} onClose={onClose}>
      <DialogForm onSubmit={save} change={set} label={words.save} onCancel={onClose}>
        <Hint>{words.routeText}</Hint>
        <Select
          label={words.acquirer}
          data={choices}
          allowDeselect={false}
          value={acquirer}
          onChange={(value) => {
            setAcquirer(value ?? acquirer);
            if (fallback === value) setFallback(null);
          }}
        />
        <Select
          label={words.fallback}
          description={words.fallbackText[method]}
          data={[{ value: '', label: words.none }, ...others]}
          allowDeselect={false}
          value={fallback ?? ''}
          onChange={(value) => setFallback(value || null)}
        />
      </DialogForm>
    </Dialog>
  );
}
