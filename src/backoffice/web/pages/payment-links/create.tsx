import { Button, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dayAfter, lisbonDay, lisbonDayStart } from '../../../../kernel/lisbon.ts';
import { AMOUNT_MAX_CENTS, centsFromTyped } from '../../../../kernel/money.ts';
import { useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './payment-links.module.css';
import { TEXTS } from './texts.ts';

const TITLE_LENGTH_MAX = 200;
const ORDER_ID_LENGTH_MAX = 235;

const KINDS = ['fixed', 'open'] as const;
const EMPTY = {
  title: '',
  kind: 'fixed' as (typeof KINDS)[number],
  amount: '',
  min: '',
  max: '',
  uses: '' as string | number,
  orderId: '',
  lastDay: '',
};
type Draft = Readonly<typeof EMPTY>;

/** The button that creates a payment link, and its dialog. */
export function CreateLink({ onCreated }: { readonly onCreated: (linkId: string) => void }) {
  const words = TEXTS.create;
  const { merchantId } = useMerchant();
  const create = useChange(trpc.paymentLinks.create, { done: words.done });
  const [draft, setDraft] = useState(EMPTY);
  const amounts = amountsOf(draft);
  const confirm = async () => {
    if (amounts === null) return;
    const orderId = draft.orderId.trim();
    const { linkId } = await create.mutateAsync({
      merchantId,
      title: draft.title,
      ...amounts,
      orderId: orderId === '' ? null : orderId,
      // The field gives a text when the number has a leading zero.
      uses: draft.uses === '' ? null : Number(draft.uses),
      expiresAt: draft.lastDay === '' ? null : lisbonDayStart(dayAfter(draft.lastDay)),
    });
    setDraft(EMPTY);
    onCreated(linkId);
  };
  return (
    <Confirm
      title={words.title}
      confirmLabel={words.open}
      confirmDisabled={draft.title.trim() === '' || amounts === null}
      onConfirm={confirm}
      trigger={<Button>{words.open}</Button>}
    >
      <Fields draft={draft} onChange={(changes) => setDraft({ ...draft, ...changes })} />
    </Confirm>
  );
}

interface FieldProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function Fields({ draft, onChange }: FieldProps) {
  const { name, amount: kind, create: words } = TEXTS;
  const today = lisbonDay(Date.now());
  const prefix = draft.orderId.trim();
  return (
    <Stack>
      <TextInput
        label={name}
        description={words.nameHint}
        placeholder={words.example}
        maxLength={TITLE_LENGTH_MAX}
        required
        value={draft.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={kind}
        fullWidth
        value={draft.kind}
        onChange={(kind) => onChange({ kind })}
        data={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
      />
      {draft.kind === 'fixed' ? (
        <Euros label={words.amount} value={draft.amount} onChange={(amount) => onChange({ amount })} />
      ) : (
        <div className={css.pair}>
          <Euros label={words.min} value={draft.min} onChange={(min) => onChange({ min })} />
          <Euros
            label={words.max}
            value={draft.max}
            fault={isReversed(draft) ? words.range : null}
            onChange={(max) => onChange({ max })}
          />
        </div>
      )}
      <div className={css.pair}>
        <NumberInput
          label={words.uses}
          hideControls
          inputMode="numeric"
          min={1}
          max={1_000_000}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          value={draft.uses}
          onChange={(uses) => onChange({ uses })}
        />
        <DayField
          label={words.expires}
          min={today}
          value={draft.lastDay}
          onChange={(lastDay) => onChange({ lastDay })}
        />
      </div>
      <TextInput
        label={words.orderId}
        description={prefix === '' ? undefined : words.orderHint(`${prefix}-1, ${prefix}-2`)}
        maxLength={ORDER_ID_LENGTH_MAX}
        autoComplete="off"
        value={draft.orderId}
        onChange={(event) => onChange({ orderId: event.currentTarget.value })}
      />
    </Stack>
  );
}

interface EurosProps {
  readonly label: string;
  readonly value: string;
  readonly fault?: string | null;
  readonly onChange: (value: string) => void;
}

function Euros({ label, value, fault = null, onChange }: EurosProps) {
  const words = TEXTS.create;
  const isWrong = value.trim() !== '' && payableCents(value) === null;
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      error={isWrong ? words.wrong : fault}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function payableCents(text: string): number | null {
  const cents = centsFromTyped(text);
  return cents === null || cents < 1 || cents > AMOUNT_MAX_CENTS ? null : cents;
}

function isReversed({ min, max }: Draft): boolean {
  return (payableCents(min) ?? 0) > (payableCents(max) ?? AMOUNT_MAX_CENTS);
}

/** The amounts of a draft; null while one is missing or wrong. */
function amountsOf(draft: Draft) {
  const { kind, amount, min, max } = draft;
  if (kind === 'fixed') {
    const amountCents = payableCents(amount);
    return amountCents === null ? null : { amountCents, minCents: null, maxCents: null };
  }
  const bounds = [min, max].map((text) => (text.trim() === '' ? null : (payableCents(text) ?? Number.NaN)));
  const [minCents = null, maxCents = null] = bounds;
  if (bounds.some((cents) => Number.isNaN(cents)) || isReversed(draft)) return null;
  return { amountCents: null, minCents, maxCents };
}
