import { Checkbox, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { SEARCH, useAddressState } from '../../lib/address.ts';
import { useSession } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Confirm, useAsOpened } from '../../ui/confirm.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { LinkDialog, type MadeLink } from '../../ui/link-dialog.tsx';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PAGED, PagedTable } from '../../ui/more-rows.tsx';
import { Opener } from '../../ui/opener.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/rows.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge, Tone } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './people.module.css';
import { TEXTS } from './texts.ts';

export default function PeoplePage() {
  const [text, setText] = useAddressState(SEARCH);
  return (
    <Page title={TEXTS.pages.people} description={TEXTS.description}>
      <search>
        <SearchField alone label={TEXTS.search} hint={TEXTS.searchHint} value={text} onChange={setText} />
      </search>
      <PeopleList email={text} />
    </Page>
  );
}

type Person = RouterOutputs['users']['list']['rows'][number];

/** Further teams are only counted. */
const PLACES_SHOWN_MAX = 3;

/** The people with an account, and their actions. */
function PeopleList({ email }: { readonly email: string }) {
  const { user } = useSession();
  const query = useInfiniteQuery(trpc.users.list.infiniteQueryOptions({ email }, PAGED));
  const total = useQuery(trpc.users.count.queryOptions({ email }));
  const columns: Column<Person>[] = [
    { key: 'email', label: TEXTS.email, cell: (person) => <Who person={person} /> },
    { key: 'role', label: TEXTS.role, cell: (person) => <Places person={person} /> },
    { key: 'access', label: TEXTS.access, cell: (person) => <Access person={person} /> },
    {
      key: 'factor',
      label: TEXTS.factor,
      cell: ({ factor }) => <StateBadge state={factor ? 'factorOn' : 'factorOff'} />,
    },
    {
      key: 'buttons',
      label: '',
      align: 'right',
      cell: (person) => (
        <span className={css.buttons}>
          {person.active && <ResetButton person={person} />}
          {person.email !== user?.email && <AccessButton person={person} />}
        </span>
      ),
    },
  ];
  return (
    <PagedTable
      query={query}
      total={total}
      counted={TEXTS.counted}
      empty={<Empty title={TEXTS.none}>{TEXTS.noneText}</Empty>}
      skeleton={<LinesSkeleton lines={8} height={72} />}
      label={TEXTS.pages.people}
      rowKey={(person) => person.userId}
      columns={columns}
    />
  );
}

function Who({ person: { email, signedInAt } }: { readonly person: Person }) {
  const { user } = useSession();
  return (
    <Stack gap={2} miw={170}>
      <span>
        <strong>
          <Breakable text={email} />
        </strong>
        {email === user?.email && <Soft> ({TEXTS.you})</Soft>}
      </span>
      <Soft>
        {signedInAt === null ? (
          TEXTS.unseen
        ) : (
          <>
            {TEXTS.seen} <Time at={signedInAt} as="ago" />
          </>
        )}
      </Soft>
    </Stack>
  );
}

/** The roles of a person. */
function Places({ person: { operator, memberships } }: { readonly person: Person }) {
  const more = memberships.length - PLACES_SHOWN_MAX;
  return (
    <span className={css.places}>
      {operator && <StateBadge state="operator" />}
      {!operator && memberships.length === 0 && <Soft>{TEXTS.nowhere}</Soft>}
      {memberships.slice(0, PLACES_SHOWN_MAX).map(({ merchantId, name, role }) => (
        <span key={merchantId} className={css.place}>
          <Link href={`/m/${merchantId}/team`}>{name}</Link> <StateBadge state={role} />
        </span>
      ))}
      {more > 0 && <Soft>{TEXTS.more(more)}</Soft>}
    </span>
  );
}

function Access({ person: { active, pending } }: { readonly person: Person }) {
  const { states } = TEXTS;
  if (!active) return <Tone tone="bad">{states.out}</Tone>;
  return pending ? <Tone tone="wait">{states.pending}</Tone> : <Tone tone="good">{states.in}</Tone>;
}

/** Disables or restores access after a confirmation. */
function AccessButton({ person: { userId, email, active } }: { readonly person: Person }) {
  const [wasActive, onOpen] = useAsOpened(active);
  const set = useChange(trpc.users.setActive, { done: wasActive ? TEXTS.keptOut(email) : TEXTS.isIn(email) });
  return (
    <Confirm
      title={wasActive ? TEXTS.keepOutTitle(email) : TEXTS.letInTitle(email)}
      confirmLabel={wasActive ? TEXTS.keepOut : TEXTS.letIn}
      danger={wasActive}
      onConfirm={() => set.mutateAsync({ userId, active: !wasActive })}
      onOpen={onOpen}
      trigger={
        <SmallButton aria-label={active ? TEXTS.keepOutOf(email) : TEXTS.letInOf(email)}>
          {active ? TEXTS.keepOut : TEXTS.letIn}
        </SmallButton>
      }
    >
      {wasActive ? TEXTS.keepOutText : TEXTS.letInText}
    </Confirm>
  );
}

function ResetButton({ person }: { readonly person: Person }) {
  return (
    <Opener trigger={<SmallButton aria-label={TEXTS.resetOf(person.email)}>{TEXTS.reset}</SmallButton>}>
      {(close) => (
        <LinkDialog title={TEXTS.resetTitle} madeTitle={TEXTS.linkTitle} onClose={close}>
          {(onMade) => <ResetForm person={person} onMade={onMade} onCancel={close} />}
        </LinkDialog>
      )}
    </Opener>
  );
}

interface FormProps {
  readonly person: Person;
  readonly onMade: (made: MadeLink) => void;
  readonly onCancel: () => void;
}

function ResetForm({ person: { userId, email, factor }, onMade, onCancel }: FormProps) {
  const [removesFactor, setRemovesFactor] = useState(false);
  const reset = useMutation(trpc.users.resetLink.mutationOptions());
  const submit = submitting(async () => {
    const { link } = await reset.mutateAsync({ userId, totp: removesFactor });
    onMade({ email, path: link });
  });
  return (
    <DialogForm onSubmit={submit} change={reset} label={TEXTS.make} onCancel={onCancel}>
      <Text>{TEXTS.resetText(email)}</Text>
      {factor && (
        <Checkbox
          label={TEXTS.totp}
          description={TEXTS.totpText}
          checked={removesFactor}
          onChange={(event) => setRemovesFactor(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}
