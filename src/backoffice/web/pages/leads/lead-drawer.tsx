import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { trpc } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { copyable } from '../../ui/copyable.tsx';
import { SideDrawer } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { Hint } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './leads.module.css';
import { TEXTS } from './texts.ts';
import type { ShownLead } from './types.ts';

const POLL_MS = 1000;

interface Props {
  readonly leadId: string | null;
  readonly onClose: () => void;
}

/** The details of a lead. */
export function LeadDrawer({ leadId, onClose }: Props) {
  const words = useTexts(TEXTS);
  const titleOf = (lead: ShownLead | undefined) => {
    if (lead === undefined) return words.person;
    return lead.progress === null ? (lead.name ?? words.noName) : words.erasedPerson;
  };
  const query = useQuery(
    trpc.leads.show.queryOptions(
      { leadId: leadId ?? '' },
      {
        enabled: leadId !== null,
        // Polls while an erasure runs in the background.
        refetchInterval: ({ state }) => (state.data?.progress?.state === 'running' ? POLL_MS : false),
      },
    ),
  );
  return (
    <SideDrawer
      opened={leadId !== null}
      onClose={onClose}
      size={520}
      title={titleOf(query.data)}
      query={query}
      lines={7}
    >
      {(lead) => <LeadFacts lead={lead} />}
    </SideDrawer>
  );
}

function LeadFacts({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  return (
    <>
      <Facts
        items={[
          [words.email, copyable(lead.email, words.email)],
          [words.phone, copyable(lead.phone, words.phone)],
          [words.merchant, lead.merchantName],
          [words.orders, words.ordersPaid(format.count(lead.paidOrders), format.count(lead.orders))],
          [words.askedFor, format.euro(lead.askedCents)],
          [words.taken, format.euro(lead.paidCents)],
          [words.firstSeen, <Time key="first" at={lead.firstSeenAt} />],
          [words.lastSeen, <Time key="last" at={lead.lastSeenAt} as="ago" />],
          [words.leadId, copyable(lead.leadId, words.leadId)],
        ]}
      />
      <Orders lead={lead} />
      <Items lead={lead} />
      <Tracking lead={lead} />
      <Erasure lead={lead} />
    </>
  );
}

function Orders({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  if (lead.newestOrders.length === 0) return null;
  return (
    <Section title={words.orders}>
      <ul className={css.lines}>
        {lead.newestOrders.map((order) => (
          <li key={order.transactionId}>
            <Link href={`/operator/transactions/${order.transactionId}`} className={css.order}>
              <span className={css.orderName}>{order.orderId}</span>
              <Money cents={order.amountCents} />
              <StateBadge state={order.held ? 'held' : order.status} />
              <Time soft at={order.createdAt} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Items({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  if (lead.items.length === 0) return null;
  return (
    <Section title={words.items}>
      <ul className={css.lines}>
        {lead.items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same item may stand there twice, and the list never changes
          <li key={place}>
            <span>
              {format.count(item.quantity)} × {item.name}
            </span>
            <Money cents={item.priceInCents} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Tracking({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  const entries = Object.entries(lead.tracking);
  if (entries.length === 0) return null;
  return (
    <Section title={words.campaign}>
      <Facts items={entries.map(([name, value]) => [name, value] as const)} />
    </Section>
  );
}

/** Erases a person's data, with progress. */
function Erasure({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { progress } = lead;
  if (progress === null) return <Erase lead={lead} />;
  const all = progress.transactionsDone + progress.transactionsLeft;
  const said =
    progress.state === 'running'
      ? words.running(format.count(progress.transactionsDone), format.count(all))
      : progress.state === 'waiting'
        ? words.waiting
        : words.done(format.time(progress.startedAt));
  return (
    <Section live>
      <Alert color="gray" icon={<IconEraser size={18} aria-hidden />}>
        {said}
      </Alert>
    </Section>
  );
}

function Erase({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  const erase = useChange(trpc.leads.erase, { done: words.eraseStarted });
  return (
    <Section>
      <Confirm
        title={words.eraseTitle}
        confirmLabel={words.eraseDo}
        danger
        onConfirm={() => erase.mutateAsync({ leadId: lead.leadId })}
        trigger={
          <Button variant="default" leftSection={<IconEraser size={16} aria-hidden />}>
            {words.erase}
          </Button>
        }
      >
        <Stack gap="sm">
          <Text fw={600}>{lead.name ?? lead.email ?? lead.phone}</Text>
          <Text>{words.eraseGone}</Text>
          <Text>{words.eraseStays}</Text>
          <Hint>{words.eraseOther}</Hint>
        </Stack>
      </Confirm>
      <Hint mt={6}>{words.eraseWhy}</Hint>
    </Section>
  );
}
