import { Alert, Badge, Button, Flex, Group, Progress, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { format } from '../../lib/format.ts';
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

/** A part of the drawer below a line. */
const SECTION = {
  component: 'section',
  gap: 14,
  pt: 18,
  className: 'line-above',
} as const;

interface Props {
  readonly receiptId: string | null;
  readonly onClose: () => void;
}

/** A case: explanation, actions and history. */
export default function CaseDrawer({ receiptId, onClose }: Props) {
  const input = { merchantId: useScope(), receiptId: receiptId ?? '' };
  const query = useQuery(trpc.exceptions.show.queryOptions(input, { enabled: receiptId !== null }));
  const across = usePageMerchant() === null;
  return (
    <SideDrawer
      opened={receiptId !== null}
      onClose={onClose}
      size={600}
      title={query.data === undefined ? CASE_TEXTS.title : <Head shown={query.data} />}
      query={query}
      lines={7}
    >
      {(shown) => {
        const refunds = (
          <Stack {...SECTION}>
            <h2>{CASE_TEXTS.pages.refunds}</h2>
            <RefundPanel receiptId={shown.receiptId} />
          </Stack>
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
  const due = shown.transaction?.amountCents ?? null;
  if (shown.settlement === 'returned') {
    const { returned } = CASE_TEXTS.settlements;
    return <Done>{returned(format.euro(shown.returnedCents ?? shown.amountCents))}</Done>;
  }
  if (shown.settlement !== null) return <Done>{CASE_TEXTS.settlements[shown.settlement]}</Done>;
  return (
    <section className={css.explained}>
      <h2>{CASE_TEXTS.happened}</h2>
      {reasonsOf(shown).map((reason) => (
        <p key={reason}>{CASE_TEXTS.why[reason]}</p>
      ))}
      {due !== null && shown.missingCents !== null && (
        <Stack gap={6} mt={6} fw={600}>
          <Progress
            value={Math.min(100, (shown.receivedCents / due) * 100)}
            aria-label={CASE_TEXTS.receivedOf(format.euro(shown.receivedCents), format.euro(due))}
            color={shown.missingCents === 0 ? 'teal' : 'sea'}
          />
          <span>{CASE_TEXTS.receivedOf(format.euro(shown.receivedCents), format.euro(due))}</span>
        </Stack>
      )}
      <h2>{CASE_TEXTS.toDo}</h2>
      <p>{CASE_TEXTS.what[adviceOf(shown, across)]}</p>
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
  const merchant = usePageMerchant();
  const { transaction, entity, reference } = shown;
  const dossier = 'candidates' in shown ? shown : null;
  const digits = entity === null || reference === null ? null : `${entity} ${reference}`;
  return (
    <Stack {...SECTION}>
      <Facts
        items={[
          [
            CASE_TEXTS.transaction,
            transaction === null ? null : (
              <span key="state" className={css.inline}>
                <TransactionLink id={transaction.id} order={transaction.orderId} />
                <StateBadge state={transaction.held ? 'held' : transaction.status} />
              </span>
            ),
          ],
          [CASE_TEXTS.link, transaction?.linkTitle ?? null],
          [CASE_TEXTS.due, transaction === null ? null : format.euro(transaction.amountCents)],
          [CASE_TEXTS.received, format.euro(shown.amountCents)],
          [CASE_TEXTS.merchant, merchant === null ? (shown.merchant?.name ?? null) : null],
          [CASE_TEXTS.method, TEXTS.methods[shown.method ?? 'none']],
          [CASE_TEXTS.reference, shown.method === 'MBWAY' ? null : copyable(digits, CASE_TEXTS.reference)],
          [CASE_TEXTS.paidAt, <Time key="paid" at={shown.paidAt} />],
          [CASE_TEXTS.recorded, <Time key="recorded" at={shown.recordedAt} />],
          [CASE_TEXTS.bankRequestId, copyable(dossier?.requestId, CASE_TEXTS.bankRequestId)],
          [CASE_TEXTS.bankOrderId, copyable(dossier?.bankOrderId, CASE_TEXTS.bankOrderId)],
          [CASE_TEXTS.receipt, copyable(shown.receiptId, CASE_TEXTS.receipt)],
        ]}
      />
      {dossier?.bankRow != null && (
        <details className={css.bankRow}>
          <summary style={{ cursor: 'pointer', color: 'var(--ink-soft)', fontSize: '0.9rem' }}>
            {CASE_TEXTS.bankRow}
          </summary>
          <pre>{pretty(dossier.bankRow)}</pre>
        </details>
      )}
    </Stack>
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
  const mayChange = useMayChange();
  return (
    <Stack {...SECTION}>
      <h2>{CASE_TEXTS.story}</h2>
      {shown.notes.length === 0 ? (
        <Hint>{CASE_TEXTS.noStory}</Hint>
      ) : (
        <Flex component="ol" direction="column" gap={12}>
          {shown.notes.map((note) => (
            <li key={note.id} className={note.kind === 'note' ? css.note : `${css.note} ${css.deed}`}>
              <Group component="span" align="baseline" gap="2px 10px" c="dimmed" fz="0.88rem">
                <Text component="strong" inherit c="var(--ink)" fw={700}>
                  {CASE_TEXTS.kinds[note.kind]}
                </Text>
                <span>{note.actor ?? CASE_TEXTS.platform}</span>
                <Time at={note.at} />
                {note.internal && (
                  <Badge size="sm" variant="default">
                    {CASE_TEXTS.internal}
                  </Badge>
                )}
              </Group>
              {note.text !== '' && <p>{note.text}</p>}
            </li>
          ))}
        </Flex>
      )}
      {mayChange && <NoteForm key={shown.receiptId} shown={shown} />}
    </Stack>
  );
}

function NoteForm({ shown }: { readonly shown: Case }) {
  const merchantId = useScope();
  const [text, setText] = useState('');
  const [internal, setInternal] = useState(true);
  const add = useChange(trpc.exceptions.note, { done: CASE_TEXTS.noted });
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
          label={CASE_TEXTS.noteLabel}
          placeholder={CASE_TEXTS.notePlaceholder}
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Trouble error={add.error} />
        <Group justify="space-between">
          {merchantId === null ? (
            <Switch
              label={CASE_TEXTS.internalSwitch}
              checked={internal}
              onChange={(event) => setInternal(event.currentTarget.checked)}
            />
          ) : (
            <span />
          )}
          <Button type="submit" variant="default" loading={add.isPending} disabled={text.trim() === ''}>
            {CASE_TEXTS.addNote}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
