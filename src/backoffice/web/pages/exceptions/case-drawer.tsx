import { Alert, Badge, Button, Flex, Group, Progress, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMayChange, usePageMerchant, useScope } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { trpc } from '../../lib/trpc.ts';
import { copyable } from '../../ui/copyable.tsx';
import { SideDrawer } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Hint } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { TransactionLink } from '../../ui/transaction-link.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import { RefundPanel } from '../refunds/panel.tsx';
import { Actions } from './actions.tsx';
import { CASE_TEXTS } from './case-texts.ts';
import css from './exceptions.module.css';
import { TEXTS } from './texts.ts';
import type { Case } from './types.ts';

interface Props {
  readonly receiptId: string | null;
  readonly onClose: () => void;
}

/** A case: explanation, actions and history. */
export default function CaseDrawer({ receiptId, onClose }: Props) {
  const words = useTexts(CASE_TEXTS);
  const input = { merchantId: useScope(), receiptId: receiptId ?? '' };
  const query = useQuery(trpc.exceptions.show.queryOptions(input, { enabled: receiptId !== null }));
  const across = usePageMerchant() === null;
  return (
    <SideDrawer
      opened={receiptId !== null}
      onClose={onClose}
      size={600}
      title={query.data === undefined ? words.title : <Head shown={query.data} />}
      query={query}
      lines={7}
    >
      {(shown) => {
        const refunds = (
          <section className={css.section}>
            <h2>{words.pages.refunds}</h2>
            <RefundPanel receiptId={shown.receiptId} />
          </section>
        );
        const refundsFirst = ['duplicate', 'over'].includes(adviceOf(shown, across));
        return (
          <Stack gap={20} pb={12} className={css.dossier}>
            <Explained shown={shown} across={across} />
            {refundsFirst && refunds}
            <Actions key={shown.receiptId} shown={shown} />
            {!refundsFirst && refunds}
            <CaseFacts shown={shown} />
            <Story shown={shown} />
          </Stack>
        );
      }}
    </SideDrawer>
  );
}

function Head({ shown }: { readonly shown: Case }) {
  const format = useFormat();
  return (
    <Flex component="span" wrap="wrap" align="center" gap="6px 14px">
      <Text span fz="1.6rem" fw={680} lh="inherit" lts="-0.015em">
        {format.euro(shown.amountCents)}
      </Text>
      <Flex component="span" wrap="wrap" gap={6}>
        {shown.flags.map((flag) => (
          <StateBadge key={flag} state={flag} />
        ))}
        {shown.settlement !== null && <StateBadge state={shown.settlement} />}
      </Flex>
    </Flex>
  );
}

function Explained({ shown, across }: { readonly shown: Case; readonly across: boolean }) {
  const words = useTexts(CASE_TEXTS);
  const format = useFormat();
  const due = shown.transaction?.amountCents ?? null;
  if (shown.settlement === 'returned') {
    const { returned } = words.settlements;
    return <Done>{returned(format.euro(shown.returnedCents ?? shown.amountCents))}</Done>;
  }
  if (shown.settlement !== null) return <Done>{words.settlements[shown.settlement]}</Done>;
  return (
    <section className={css.explained}>
      <h2>{words.happened}</h2>
      {reasonsOf(shown).map((reason) => (
        <p key={reason}>{words.why[reason]}</p>
      ))}
      {due !== null && shown.missingCents !== null && (
        <div className={css.progress}>
          <Progress
            value={Math.min(100, (shown.receivedCents / due) * 100)}
            aria-label={words.receivedOf(format.euro(shown.receivedCents), format.euro(due))}
            color={shown.missingCents === 0 ? 'teal' : 'sea'}
          />
          <span>{words.receivedOf(format.euro(shown.receivedCents), format.euro(due))}</span>
        </div>
      )}
      <h2>{words.toDo}</h2>
      <p>{words.what[adviceOf(shown, across)]}</p>
    </section>
  );
}

/** Whether another payment has paid the order of a part payment. */
function isPaidOtherwise({ flags, transaction }: Case): boolean {
  return flags.includes('under') && transaction?.status === 'paid';
}

/** A short payment did not pay its order, however late it is. A late duplicate paid a second transaction of its order. */
function reasonsOf(shown: Case) {
  const { flags, transaction } = shown;
  if (transaction?.held === true) return ['held'] as const;
  if (flags.includes('under')) return [isPaidOtherwise(shown) ? 'underPaid' : 'under'] as const;
  if (flags.includes('late') && flags.includes('duplicate')) return ['paidTwice'] as const;
  return flags;
}

/** For a late payment that is also short or excess, the advice for the amount applies. */
function adviceOf(shown: Case, across: boolean) {
  if (shown.transaction?.held === true) return 'held';
  const main = shown.flags.find((flag) => flag !== 'late') ?? 'late';
  if (main !== 'under') return main;
  if (isPaidOtherwise(shown)) return 'duplicate';
  return shown.missingCents === 0 ? 'underFull' : across ? 'underAcross' : 'under';
}

function Done({ children }: { readonly children: ReactNode }) {
  return (
    <Alert color="teal" p="sm">
      {children}
    </Alert>
  );
}

function CaseFacts({ shown }: { readonly shown: Case }) {
  const words = useTexts(CASE_TEXTS);
  const list = useTexts(TEXTS);
  const format = useFormat();
  const merchant = usePageMerchant();
  const { transaction, entity, reference } = shown;
  const dossier = 'candidates' in shown ? shown : null;
  const digits = entity === null || reference === null ? null : `${entity} ${reference}`;
  return (
    <section className={css.section}>
      <Facts
        items={[
          [
            words.transaction,
            transaction === null ? null : (
              <span key="state" className={css.inline}>
                <TransactionLink id={transaction.id} order={transaction.orderId} />
                <StateBadge state={transaction.held ? 'held' : transaction.status} />
              </span>
            ),
          ],
          [words.link, transaction?.linkTitle ?? null],
          [words.due, transaction === null ? null : format.euro(transaction.amountCents)],
          [words.received, format.euro(shown.amountCents)],
          [words.merchant, merchant === null ? (shown.merchant?.name ?? null) : null],
          [words.method, list.methods[shown.method ?? 'none']],
          [words.reference, shown.method === 'MBWAY' ? null : copyable(digits, words.reference)],
          [words.paidAt, <Time key="paid" at={shown.paidAt} />],
          [words.recorded, <Time key="recorded" at={shown.recordedAt} />],
          [words.bankRequestId, copyable(dossier?.requestId, words.bankRequestId)],
          [words.bankOrderId, copyable(dossier?.bankOrderId, words.bankOrderId)],
          [words.receipt, copyable(shown.receiptId, words.receipt)],
        ]}
      />
      {dossier?.bankRow != null && (
        <details className={css.bankRow}>
          <summary>{words.bankRow}</summary>
          <pre>{pretty(dossier.bankRow)}</pre>
        </details>
      )}
    </section>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** The actions and notes of a case, and a field for a new note. */
function Story({ shown }: { readonly shown: Case }) {
  const words = useTexts(CASE_TEXTS);
  const mayChange = useMayChange();
  return (
    <section className={css.section}>
      <h2>{words.story}</h2>
      {shown.notes.length === 0 ? (
        <Hint>{words.noStory}</Hint>
      ) : (
        <Flex component="ol" direction="column" gap={12}>
          {shown.notes.map((note) => (
            <li key={note.id} className={note.kind === 'note' ? css.note : `${css.note} ${css.deed}`}>
              <span className={css.noteHead}>
                <strong>{words.kinds[note.kind]}</strong>
                <span>{note.actor ?? words.platform}</span>
                <Time at={note.at} />
                {note.internal && (
                  <Badge size="sm" variant="default">
                    {words.internal}
                  </Badge>
                )}
              </span>
              {note.text !== '' && <p>{note.text}</p>}
            </li>
          ))}
        </Flex>
      )}
      {mayChange && <NoteForm key={shown.receiptId} shown={shown} />}
    </section>
  );
}

function NoteForm({ shown }: { readonly shown: Case }) {
  const words = useTexts(CASE_TEXTS);
  const merchantId = useScope();
  const [text, setText] = useState('');
  const [internal, setInternal] = useState(true);
  const add = useChange(trpc.exceptions.note, { done: words.noted });
  const send = submitting(async () => {
    await add.mutateAsync({
      merchantId,
      receiptId: shown.receiptId,
      text,
      internal: merchantId === null && internal,
    });
    // The next note may be typed by now.
    setText((now) => (now === text ? '' : now));
  });
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <Textarea
          label={words.noteLabel}
          placeholder={words.notePlaceholder}
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Trouble error={add.error} />
        <Group justify="space-between">
          {merchantId === null ? (
            <Switch
              label={words.internalSwitch}
              checked={internal}
              onChange={(event) => setInternal(event.currentTarget.checked)}
            />
          ) : (
            <span />
          )}
          <Button type="submit" variant="default" loading={add.isPending} disabled={text.trim() === ''}>
            {words.addNote}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
