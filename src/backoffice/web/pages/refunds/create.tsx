import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TbReceiptRefund } from 'react-icons/tb';
import { centsFromTyped } from '../../../../kernel/money.ts';
import { format } from '../../lib/format.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Confirm, useAsOpened } from '../../ui/confirm.tsx';
import { Effects } from '../../ui/effects.tsx';
import { ACT_TEXTS } from './act-texts.ts';
import { useReceiptChange } from './source.ts';
import type { ReceiptRefunds } from './types.ts';

interface Draft {
  readonly amount: string;
  readonly reason: string;
  readonly iban: string;
  readonly name: string;
}

/** The button that refunds a receipt, and its dialog. */
export function CreateRefund({ shown }: { readonly shown: ReceiptRefunds }) {
  const words = ACT_TEXTS.create;
  const merchantId = useScope();
  const refund = useReceiptChange(trpc.refunds.create, { done: words.done });
  const { receiptId, leftCents, transfer } = shown;
  const first = (): Draft => ({
    amount: (shown.proposedCents / 100).toFixed(2).replace('.', currentLanguage() === 'pt' ? ',' : '.'),
    reason: '',
    iban: '',
    name: shown.customerName ?? '',
  });
  const [draft, setDraft] = useState(first);
  const [seen, keepSeen] = useAsOpened({ leftCents, ...caseOf(shown) });
  const cents = centsFromTyped(draft.amount);
  const amountCents = cents !== null && cents > 0 && cents <= leftCents ? cents : null;
  const create = async () => {
    if (amountCents === null) return;
    const iban = draft.iban.trim();
    const name = draft.name.trim();
    await refund.mutateAsync({
      merchantId,
      receiptId,
      amountCents,
      ...seen,
      reason: draft.reason,
      ...(transfer && iban !== '' && { iban }),
      ...(transfer && name !== '' && { name }),
    });
  };
  return (
    <Confirm
      title={words.title}
      confirmLabel={words.confirm(amountCents === null ? '' : format.euro(amountCents)).trim()}
      confirmDisabled={amountCents === null}
      danger
      onConfirm={create}
      onOpen={() => {
        setDraft(first());
        keepSeen();
      }}
      trigger={
        <Button
          variant="default"
          leftSection={<TbReceiptRefund size={17} aria-hidden />}
          aria-label={words.buttonOf(format.euro(shown.amountCents))}
        >
          {words.button}
        </Button>
      }
    >
      <Fields
        shown={shown}
        draft={draft}
        amountCents={amountCents}
        onChange={(changed) => setDraft({ ...draft, ...changed })}
      />
    </Confirm>
  );
}

/** What the server compares, because another person may settle, assign or credit the payment. */
export function caseOf({ closesCase, transaction }: ReceiptRefunds) {
  return { closesCase, transactionStatus: transaction?.status ?? null };
}

interface FieldsProps {
  readonly shown: ReceiptRefunds;
  readonly draft: Draft;
  /** The amount to refund; null when the typed amount is invalid. */
  readonly amountCents: number | null;
  readonly onChange: (changed: Partial<Draft>) => void;
}

function Fields({ shown, draft, amountCents, onChange }: FieldsProps) {
  const words = ACT_TEXTS.create;
  const lines = effectsOf(shown, amountCents ?? 0);
  const { leftCents, transfer } = shown;
  return (
    <Stack>
      <TextInput
        label={words.amount}
        description={words.amountHint(format.euro(leftCents))}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        error={amountCents === null ? words.amountWrong(format.euro(leftCents)) : null}
        value={draft.amount}
        onChange={(event) => onChange({ amount: event.currentTarget.value })}
      />
      {transfer && <Account draft={draft} ibanHint={words.ibanHint} onChange={onChange} />}
      <Textarea
        label={words.reason}
        description={words.reasonHint}
        maxLength={500}
        value={draft.reason}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
      />
      {amountCents !== null && <Effects lines={lines} />}
    </Stack>
  );
}

interface AccountProps {
  readonly draft: { readonly iban: string; readonly name: string };
  readonly ibanHint?: string;
  readonly onChange: (next: { iban: string; name: string }) => void;
}

/** The account that a refund is transferred to. */
export function Account({ draft: { iban, name }, ibanHint, onChange }: AccountProps) {
  const words = ACT_TEXTS.create;
  return (
    <>
      <TextInput
        label={words.iban}
        description={ibanHint}
        placeholder="PT50 …"
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        value={iban}
        onChange={(event) => onChange({ iban: event.currentTarget.value, name })}
      />
      <TextInput
        label={words.name}
        autoComplete="off"
        maxLength={140}
        value={name}
        onChange={(event) => onChange({ iban, name: event.currentTarget.value })}
      />
    </>
  );
}

export function effectsOf(shown: ReceiptRefunds, amountCents: number): string[] {
  const { create } = ACT_TEXTS;
  const { transfer, transaction, closesCase, eventAboveCents } = shown;
  const amount = format.euro(amountCents);
  const sendsEvent = eventAboveCents !== null && amountCents > eventAboveCents;
  return [
    transfer ? create.byTransfer(amount) : create.viaBank(amount),
    ...(transaction?.status === 'paid' ? [ACT_TEXTS.staysPaid] : []),
    ...(closesCase ? [create.closesCase] : []),
    sendsEvent ? create.event : ACT_TEXTS.noEvent,
    ACT_TEXTS.noUndo,
  ];
}
