import { Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconCoins } from '@tabler/icons-react';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
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

/** The actions available to the user. */
export function Actions({ shown }: Props) {
  const words = useTexts(ACT_TEXTS);
  const cases = useTexts(CASE_TEXTS);
  const format = useFormat();
  const merchant = usePageMerchant();
  const mayChange = useMayChange();
  if (shown.settlement !== null) return null;
  if (!mayChange) return <Hint>{cases.viewerOnly}</Hint>;
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
      {missing > 0 && merchant === null && <Hint>{words.credit.refused(format.euro(missing))}</Hint>}
      {short && merchant !== null && <Hint>{cases.platformOnly}</Hint>}
    </Stack>
  );
}

function Returned({ shown, cents }: Props & { readonly cents: number }) {
  const words = useTexts(ACT_TEXTS);
  const format = useFormat();
  const merchantId = useScope();
  const { receiptId } = shown;
  const markReturned = useReceiptChange(trpc.exceptions.markReturned, {
    done: words.returned.done,
  });
  const paid = shown.flags.includes('over') && shown.transaction?.held !== true;
  return (
    <ConfirmWithNote
      title={words.returned.button}
      confirmLabel={words.returned.confirm(format.euro(cents))}
      note={{ ...useNote(words.returned.why), placeholder: words.returned.placeholder, required: true }}
      effects={[
        words.noMoney,
        words.noEvent,
        ...(shown.transaction === null ? [] : [paid ? words.staysPaid : words.unchanged]),
        words.noUndo,
      ]}
      onConfirm={(note) => markReturned.mutateAsync({ merchantId, receiptId, amountCents: cents, note })}
      trigger={
        <Button variant="default" leftSection={<IconArrowBackUp size={17} aria-hidden />}>
          {words.returned.button}
        </Button>
      }
    >
      <Group justify="space-between" align="baseline" wrap="nowrap">
        {words.returned.sum}
        <Text component="strong" fz="1.35rem" fw={680} textWrap="nowrap">
          {format.euro(cents)}
        </Text>
      </Group>
    </ConfirmWithNote>
  );
}

function Keep({ shown }: Props) {
  const words = useTexts(ACT_TEXTS);
  const format = useFormat();
  const merchantId = useScope();
  const keep = useReceiptChange(trpc.exceptions.keep, { done: words.keep.done });
  return (
    <ConfirmWithNote
      title={words.keep.button}
      confirmLabel={words.keep.confirm}
      note={useNote()}
      effects={[
        words.keep.kept(format.euro(shown.amountCents)),
        words.noEvent,
        shown.transaction?.held === true ? words.unchanged : words.staysPaid,
        words.noUndo,
      ]}
      onConfirm={(note) => keep.mutateAsync({ merchantId, receiptId: shown.receiptId, note })}
      trigger={
        <Button
          variant={shown.flags.includes('over') ? 'default' : 'filled'}
          leftSection={<IconCheck size={17} aria-hidden />}
        >
          {words.keep.button}
        </Button>
      }
    />
  );
}

function Credit({ shown }: Props) {
  const words = useTexts(ACT_TEXTS);
  const format = useFormat();
  const note = useNote();
  const credit = useReceiptChange(trpc.exceptions.credit, { done: words.credit.done });
  const { transaction } = shown;
  const [receivedCents, onOpen] = useAsOpened(shown.receivedCents);
  if (transaction === null) return null;
  const surplus = receivedCents - transaction.amountCents;
  return (
    <ConfirmWithNote
      title={words.credit.title}
      confirmLabel={words.credit.button}
      note={note}
      effects={[
        words.becomesPaid,
        words.oneEvent,
        ...(surplus > 0 ? [words.credit.surplus(format.euro(surplus))] : []),
        words.noUndo,
      ]}
      onConfirm={(text) => credit.mutateAsync({ transactionId: transaction.id, receivedCents, note: text })}
      onOpen={onOpen}
      trigger={
        <Button disabled={shown.can.creditCents === null} leftSection={<IconCoins size={17} aria-hidden />}>
          {words.credit.button}
        </Button>
      }
    >
      <p>{words.credit.sum(format.euro(receivedCents), format.euro(transaction.amountCents))}</p>
    </ConfirmWithNote>
  );
}
