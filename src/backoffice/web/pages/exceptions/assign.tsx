import { Button, Flex, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { format } from '../../lib/format.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { useAsOpened } from '../../ui/confirm.tsx';
import { ConfirmWithNote } from '../../ui/confirm-with-note.tsx';
import { Hint, Soft } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { useReceiptChange } from '../refunds/source.ts';
import { ACT_TEXTS } from './act-texts.ts';
import css from './exceptions.module.css';
import type { Candidate, CaseDossier } from './types.ts';

interface Props {
  readonly shown: CaseDossier;
}

/** Candidate transactions for an unmatched payment with the effect of assigning each, and a field for another ID. */
export function Assign({ shown }: Props) {
  const words = ACT_TEXTS.assign;
  const { receiptId } = shown;
  const [typedId, setTypedId] = useState<string | null>(null);
  const { data: typed } = useQuery(
    trpc.exceptions.preview.queryOptions(
      { receiptId, transactionId: typedId ?? '' },
      { enabled: typedId !== null },
    ),
  );
  const others = shown.candidates.filter((known) => known.transactionId !== typed?.transactionId);
  const candidates = typed === undefined ? others : [typed, ...others];
  return (
    <Flex component="section" direction="column" gap={12}>
      <h2>{words.heading}</h2>
      {candidates.length === 0 && <Hint>{words.none}</Hint>}
      <Flex component="ul" direction="column" gap={8}>
        {candidates.map((candidate) => (
          <li key={candidate.transactionId} className={css.candidate}>
            <CandidateFace candidate={candidate} />
            <AssignTo shown={shown} candidate={candidate} />
          </li>
        ))}
      </Flex>
      <LookUp receiptId={receiptId} onFound={setTypedId} />
    </Flex>
  );
}

function CandidateFace({ candidate }: { readonly candidate: Candidate }) {
  const words = ACT_TEXTS.assign;
  return (
    <Stack gap={2} miw={0}>
      <span className={css.inline}>
        <strong>{candidate.orderId}</strong>
        <StateBadge state={candidate.held ? 'held' : candidate.status} />
      </span>
      <Soft>
        {candidate.merchant.name} · {format.euro(candidate.amountCents)} · <Time at={candidate.createdAt} />
      </Soft>
      <Text span c="var(--good)" fz="0.85rem" fw={600}>
        {words.likeness[candidate.likeness ?? 'typed']}
      </Text>
    </Stack>
  );
}

function AssignTo({ shown, candidate }: Props & { readonly candidate: Candidate }) {
  const [asked, onOpen] = useAsOpened(candidate);
  const { transactionId, settlement, flags } = asked;
  const assign = useReceiptChange(trpc.exceptions.assign, { done: ACT_TEXTS.assign.done });
  const effects = effectsOf(shown, asked);
  return (
    <ConfirmWithNote
      title={ACT_TEXTS.assign.title}
      confirmLabel={ACT_TEXTS.assign.button}
      note={useNote()}
      effects={effects}
      onConfirm={(note) => {
        const effect = { settlement, flags };
        return assign.mutateAsync({ receiptId: shown.receiptId, transactionId, note, shown: effect });
      }}
      onOpen={onOpen}
      trigger={
        <Button variant="light" aria-label={ACT_TEXTS.assign.buttonTo(candidate.orderId)}>
          {ACT_TEXTS.assign.button}
        </Button>
      }
    >
      <CandidateFace candidate={asked} />
    </ConfirmWithNote>
  );
}

function effectsOf(shown: CaseDossier, { settlement, flags, amountCents }: Candidate): string[] {
  const difference = format.euro(Math.abs(shown.amountCents - amountCents));
  const then =
    settlement === 'paid'
      ? [ACT_TEXTS.becomesPaid, ACT_TEXTS.oneEvent]
      : settlement === 'held'
        ? [ACT_TEXTS.assign.held]
        : [ACT_TEXTS.noEvent];
  return [
    ...then,
    ...(flags.late ? [ACT_TEXTS.assign.late] : []),
    ...(flags.under ? [ACT_TEXTS.assign.under(difference)] : []),
    ...(flags.over ? [ACT_TEXTS.assign.over(difference)] : []),
    ...(flags.duplicate ? [ACT_TEXTS.assign.duplicate] : []),
    ACT_TEXTS.noUndo,
  ];
}

interface LookUpProps {
  readonly receiptId: string;
  readonly onFound: (transactionId: string) => void;
}

function LookUp({ receiptId, onFound }: LookUpProps) {
  const { search: label, assign: words } = ACT_TEXTS;
  const [text, setText] = useState('');
  const search = useMutation({
    mutationFn: async () => {
      const order = { receiptId, transactionId: text.trim() };
      await queryClient.fetchQuery(trpc.exceptions.preview.queryOptions(order, { staleTime: 0 }));
      onFound(order.transactionId);
      setText((now) => (now === text ? '' : now));
    },
  });
  return (
    <form onSubmit={submitting(search.mutateAsync)}>
      <Stack gap="xs">
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            flex={1}
            miw={0}
            label={words.field}
            placeholder={words.placeholder}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={search.isPending} disabled={text.trim() === ''}>
            {label}
          </Button>
        </Group>
        <Trouble error={search.error} />
      </Stack>
    </form>
  );
}

/** The field for a note, an optional one by default; to an operator it also says who reads the note. */
export function useNote(label?: string) {
  const description = usePageMerchant() === null ? ACT_TEXTS.noteRead : undefined;
  return { label: label ?? ACT_TEXTS.noteOptional, description };
}
