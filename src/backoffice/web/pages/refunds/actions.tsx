import { Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { format } from '../../lib/format.ts';
import { usePageMerchant, useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Confirm, useAsOpened } from '../../ui/confirm.tsx';
import { ConfirmWithNote } from '../../ui/confirm-with-note.tsx';
import { Effects } from '../../ui/effects.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { ACT_TEXTS } from './act-texts.ts';
import { Account, caseOf, effectsOf } from './create.tsx';
import { useReceiptChange } from './source.ts';
import type { ReceiptRefunds, Refund } from './types.ts';

interface Props {
  readonly shown: ReceiptRefunds;
  readonly refund: Refund;
}

export function RefundActions({ shown, refund }: Props) {
  const across = usePageMerchant() === null;
  const { state, exportedAt, repeated, amountCents } = refund;
  const mayRetry =
    shown.may && shown.refusal === null && state === 'failed' && !repeated && amountCents <= shown.leftCents;
  const maySet = shown.may && state === 'awaiting_transfer' && exportedAt === null;
  const maySettle = across && (state === 'awaiting_transfer' || state === 'unknown');
  if (!mayRetry && !maySet && !maySettle) return null;
  return (
    <Group gap="sm">
      {mayRetry && <Retry shown={shown} refund={refund} />}
      {maySet && <SetAccount refund={refund} />}
      {maySettle && <Settle refund={refund} />}
    </Group>
  );
}

function Retry({ shown, refund }: Props) {
  const merchantId = useScope();
  const { refundId } = refund;
  const retry = useReceiptChange(trpc.refunds.retry, { done: ACT_TEXTS.create.done });
  const lines = effectsOf(shown, refund.amountCents);
  const [seen, onOpen] = useAsOpened(caseOf(shown));
  return (
    <Confirm
      title={ACT_TEXTS.retry.title}
      confirmLabel={ACT_TEXTS.create.confirm(format.euro(refund.amountCents))}
      danger
      onConfirm={() => retry.mutateAsync({ merchantId, refundId, ...seen })}
      onOpen={onOpen}
      trigger={<SmallButton>{ACT_TEXTS.again}</SmallButton>}
    >
      <Stack>
        <span>{ACT_TEXTS.retry.text}</span>
        <Effects lines={lines} />
      </Stack>
    </Confirm>
  );
}

function SetAccount({ refund }: Pick<Props, 'refund'>) {
  const { save, set: words } = ACT_TEXTS;
  const merchantId = useScope();
  const set = useReceiptChange(trpc.refunds.set, { done: words.done });
  const first = () => ({ iban: '', name: refund.name ?? '' });
  const [draft, setDraft] = useState(first);
  return (
    <Confirm
      title={words.button}
      confirmLabel={save}
      confirmDisabled={draft.iban.trim() === '' || draft.name.trim() === ''}
      onConfirm={() => {
        const account = { iban: draft.iban.trim(), name: draft.name.trim() };
        return set.mutateAsync({ merchantId, refundId: refund.refundId, ...account });
      }}
      onOpen={() => setDraft(first())}
      trigger={<SmallButton>{words.button}</SmallButton>}
    >
      <Stack>
        <span>{words.text}</span>
        <Account draft={draft} onChange={setDraft} />
      </Stack>
    </Confirm>
  );
}

function Settle({ refund }: Pick<Props, 'refund'>) {
  const { settle } = ACT_TEXTS;
  const change = useReceiptChange(trpc.refunds.settle, { done: settle.settled });
  const [outcome, setOutcome] = useState<'done' | 'failed' | null>(null);
  const [exportedAt, onOpen] = useAsOpened(refund.exportedAt);
  const then = outcome === null ? [] : [outcome === 'done' ? settle.becomesDone : settle.becomesFailed];
  return (
    <ConfirmWithNote
      title={settle.title}
      confirmLabel={settle.button}
      confirmDisabled={outcome === null}
      note={{
        label: settle.note,
        description: ACT_TEXTS.noteRead,
        placeholder: settle.placeholder,
        required: true,
      }}
      effects={[settle.noMoney, ...then, ACT_TEXTS.noUndo]}
      onConfirm={async (note) => {
        if (outcome !== null)
          await change.mutateAsync({ refundId: refund.refundId, outcome, note, exportedAt });
      }}
      onOpen={onOpen}
      trigger={<SmallButton>{settle.button}</SmallButton>}
    >
      <Radio.Group
        label={settle.outcome}
        value={outcome}
        onChange={(value) => setOutcome(value === 'done' ? 'done' : 'failed')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="done" label={settle.done} />
          <Radio value="failed" label={settle.failed} />
        </Stack>
      </Radio.Group>
    </ConfirmWithNote>
  );
}
