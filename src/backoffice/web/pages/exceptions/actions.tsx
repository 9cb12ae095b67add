import { Button, Group, Stack, Text } from '@mantine/core';
import { TbArrowBackUp, TbCheck, TbCoins } from 'react-icons/tb';
import { format } from '../../lib/format.ts';
import { useMayChange, usePageMerchant, useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAsOpened } from '../../ui/confirm.tsx';
import { ConfirmWithNote } from '../../ui/confirm-with-note.tsx';
import { Hint } from '../../ui/soft.tsx';
import { useReceiptChange } from '../refunds/source.ts';
import { ACT_TEXTS } from './act-texts.ts';
import { Assign, useNote } from './assign.tsx';
import { CASE_TEXTS } from './case-texts.ts';
import type { Case } from './types.ts';

interface Props {
  readonly shown: Case;
}

export function Actions({ shown }: Props) {
  const merchant = usePageMerchant();
  const mayChange = useMayChange();
  if (shown.settlement !== null) return null;
  if (!mayChange) return <Hint>{CASE_TEXTS.viewerOnly}</Hint>;
  const { can, transaction } = shown;
  const missing = shown.missingCents ?? 0;
  const short = shown.flags.includes('under') && transaction !== null && transaction.status !== 'paid';
  return (
    <Stack gap={14}>
      {'candidates' in shown && can.assign && <Assign shown={shown} />}
      <Group gap="sm">
        {merchant === null && short && <Credit shown={shown} />}
        {can.returnCents !== null && <Returned shown={shown} cents={can.returnCents} />}
        {can.keep && <Keep shown={shown} />}
      </Group>
      {missing > 0 && merchant === null && <Hint>{ACT_TEXTS.credit.refused(format.euro(missing))}</Hint>}
      {short && merchant !== null && <Hint>{CASE_TEXTS.platformOnly}</Hint>}
    </Stack>
  );
}

function Returned({ shown, cents }: Props & { readonly cents: number }) {
  const merchantId = useScope();
  const { receiptId } = shown;
  const markReturned = useReceiptChange(trpc.exceptions.markReturned, { done: ACT_TEXTS.returned.done });
  const paid = shown.flags.includes('over') && shown.transaction?.held !== true;
  return (
    <ConfirmWithNote
      title={ACT_TEXTS.returned.button}
      confirmLabel={ACT_TEXTS.returned.confirm(format.euro(cents))}
      note={{
        ...useNote(ACT_TEXTS.returned.why),
        placeholder: ACT_TEXTS.returned.placeholder,
        required: true,
      }}
      effects={[
        ACT_TEXTS.noMoney,
        ACT_TEXTS.noEvent,
        ...(shown.transaction === null ? [] : [paid ? ACT_TEXTS.staysPaid : ACT_TEXTS.unchanged]),
        ACT_TEXTS.noUndo,
      ]}
      onConfirm={(note) => markReturned.mutateAsync({ merchantId, receiptId, amountCents: cents, note })}
      trigger={
        <Button variant="default" leftSection={<TbArrowBackUp size={17} aria-hidden />}>
          {ACT_TEXTS.returned.button}
        </Button>
      }
    >
      <Group justify="space-between" align="baseline" wrap="nowrap">
        {ACT_TEXTS.returned.sum}
        <Text component="strong" fz="1.35rem" fw={680} textWrap="nowrap">
          {format.euro(cents)}
        </Text>
      </Group>
    </ConfirmWithNote>
  );
}

function Keep({ shown }: Props) {
  const merchantId = useScope();
  const keep = useReceiptChange(trpc.exceptions.keep, { done: ACT_TEXTS.keep.done });
  return (
    <ConfirmWithNote
      title={ACT_TEXTS.keep.button}
      confirmLabel={ACT_TEXTS.keep.confirm}
      note={useNote()}
      effects={[
        ACT_TEXTS.keep.kept(format.euro(shown.amountCents)),
        ACT_TEXTS.noEvent,
        shown.transaction?.held === true ? ACT_TEXTS.unchanged : ACT_TEXTS.staysPaid,
        ACT_TEXTS.noUndo,
      ]}
      onConfirm={(note) => keep.mutateAsync({ merchantId, receiptId: shown.receiptId, note })}
      trigger={
        <Button
          variant={shown.flags.includes('over') ? 'default' : 'filled'}
          leftSection={<TbCheck size={17} aria-hidden />}
        >
          {ACT_TEXTS.keep.button}
        </Button>
      }
    />
  );
}

function Credit({ shown }: Props) {
  const note = useNote();
  const credit = useReceiptChange(trpc.exceptions.credit, { done: ACT_TEXTS.credit.done });
  const { transaction } = shown;
  const [receivedCents, onOpen] = useAsOpened(shown.receivedCents);
  if (transaction === null) return null;
  const surplus = receivedCents - transaction.amountCents;
  return (
    <ConfirmWithNote
      title={ACT_TEXTS.credit.title}
      confirmLabel={ACT_TEXTS.credit.button}
      note={note}
      effects={[
        ACT_TEXTS.becomesPaid,
        ACT_TEXTS.oneEvent,
        ...(surplus > 0 ? [ACT_TEXTS.credit.surplus(format.euro(surplus))] : []),
        ACT_TEXTS.noUndo,
      ]}
      onConfirm={(text) => credit.mutateAsync({ transactionId: transaction.id, receivedCents, note: text })}
      onOpen={onOpen}
      trigger={
        <Button disabled={shown.can.creditCents === null} leftSection={<TbCoins size={17} aria-hidden />}>
          {ACT_TEXTS.credit.button}
        </Button>
      }
    >
      <p>{ACT_TEXTS.credit.sum(format.euro(receivedCents), format.euro(transaction.amountCents))}</p>
    </ConfirmWithNote>
  );
}
