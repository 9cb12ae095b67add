import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TbEraser } from 'react-icons/tb';
import { Link } from 'wouter';
import { format } from '../../lib/format.ts';
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

export function LeadDrawer({ leadId, onClose }: Props) {
  const titleOf = (lead: ShownLead | undefined) => {
    if (lead === undefined) return TEXTS.person;
    return lead.progress === null ? (lead.name ?? TEXTS.noName) : TEXTS.erasedPerson;
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
  return (
    <>
      <Facts
        items={[
          [TEXTS.email, copyable(lead.email, TEXTS.email)],
          [TEXTS.phone, copyable(lead.phone, TEXTS.phone)],
          [TEXTS.merchant, lead.merchantName],
          [TEXTS.orders, TEXTS.ordersPaid(format.count(lead.paidOrders), format.count(lead.orders))],
          [TEXTS.askedFor, format.euro(lead.askedCents)],
          [TEXTS.taken, format.euro(lead.paidCents)],
          [TEXTS.firstSeen, <Time key="first" at={lead.firstSeenAt} />],
          [TEXTS.lastSeen, <Time key="last" at={lead.lastSeenAt} as="ago" />],
          [TEXTS.leadId, copyable(lead.leadId, TEXTS.leadId)],
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
  if (lead.newestOrders.length === 0) return null;
  return (
    <Section title={TEXTS.orders}>
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
  if (lead.items.length === 0) return null;
  return (
    <Section title={TEXTS.items}>
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
  const entries = Object.entries(lead.tracking);
  if (entries.length === 0) return null;
  return (
    <Section title={TEXTS.campaign}>
      <Facts items={entries.map(([name, value]) => [name, value] as const)} />
    </Section>
  );
}

/** Erases a person's data, with progress. */
function Erasure({ lead }: { readonly lead: ShownLead }) {
  const { progress } = lead;
  if (progress === null) return <Erase lead={lead} />;
  const all = progress.transactionsDone + progress.transactionsLeft;
  const said =
    progress.state === 'running'
      ? TEXTS.running(format.count(progress.transactionsDone), format.count(all))
      : progress.state === 'waiting'
        ? TEXTS.waiting
        : TEXTS.done(format.time(progress.startedAt));
  return (
    <Section live>
      <Alert color="gray" icon={<TbEraser size={18} aria-hidden />}>
        {said}
      </Alert>
    </Section>
  );
}

function Erase({ lead }: { readonly lead: ShownLead }) {
  const erase = useChange(trpc.leads.erase, { done: TEXTS.eraseStarted });
  return (
    <Section>
      <Confirm
        title={TEXTS.eraseTitle}
        confirmLabel={TEXTS.eraseDo}
        danger
        onConfirm={() => erase.mutateAsync({ leadId: lead.leadId })}
        trigger={
          <Button variant="default" leftSection={<TbEraser size={16} aria-hidden />}>
            {TEXTS.erase}
          </Button>
        }
      >
        <Stack gap="sm">
          <Text fw={600}>{lead.name ?? lead.email ?? lead.phone}</Text>
          <Text>{TEXTS.eraseGone}</Text>
          <Text>{TEXTS.eraseStays}</Text>
          <Hint>{TEXTS.eraseOther}</Hint>
        </Stack>
      </Confirm>
      <Hint mt={6}>{TEXTS.eraseWhy}</Hint>
    </Section>
  );
}
