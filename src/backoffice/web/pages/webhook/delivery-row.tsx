import { Button } from '@mantine/core';
import { IconChevronDown, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { EVENT_KINDS } from '../../lib/event-kinds.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { notifyDone, notifyFault } from '../../ui/notify.ts';
import { SmallButton } from '../../ui/small-button.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Attempts } from './attempts.tsx';
import { TEXTS } from './texts.ts';
import type { DeliveryLine } from './types.ts';
import css from './webhook.module.css';

const LIVE_MS = 700;

/** One delivery; it expands to show its attempts. */
export function DeliveryRow({ row, owner }: { readonly row: DeliveryLine; readonly owner: boolean }) {
  const words = useTexts(TEXTS);
  const kinds = useTexts(EVENT_KINDS);
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const panel = useId();
  const number = row.number === null ? null : words.log.number(format.count(row.number));
  return (
    <li className={css.row}>
      <button
        type="button"
        className={css.line}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <span className={css.lineState}>
          <StateBadge state={row.state} />
        </span>
        <span className={css.lineKind}>
          {kinds[row.kind]}
          <span className={css.quiet}>
            {number !== null && <span title={words.log.numberHint}>{number}</span>}
            {row.recovery && <span> · {words.log.recovery}</span>}
          </span>
        </span>
        <span className={css.lineTries}>
          {row.attemptsCount > 0 && words.log.tries(row.attemptsCount)}
          {row.status !== null && <span className={css.status}>{row.status}</span>}
        </span>
        <span className={css.lineTime}>
          <Time at={row.createdAt} />
        </span>
        <IconChevronDown size={18} aria-hidden className={css.chevron} />
      </button>
      <div id={panel} hidden={!open}>
        {open && <Details row={row} owner={owner} />}
      </div>
    </li>
  );
}

function Details({ row, owner }: { readonly row: DeliveryLine; readonly owner: boolean }) {
  const words = useTexts(TEXTS).log;
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const { deliveryId } = row;
  const query = useQuery(
    trpc.webhook.delivery.queryOptions(
      { merchantId, deliveryId },
      { refetchInterval: ({ state }) => (state.data?.state === 'due' ? LIVE_MS : false) },
    ),
  );
  return (
    <div className={css.details}>
      <Loaded query={query} skeleton={<LinesSkeleton lines={Math.max(1, row.attemptsCount)} height={44} />}>
        {(delivery) => <Attempts delivery={delivery} />}
      </Loaded>
      <div className={css.detailsSide}>
        <Facts
          items={[
            [words.created, <Time key="created" at={row.createdAt} />],
            [words.event, <Copyable key="event" value={row.eventId} label={words.event} />],
            [words.delivery, <Copyable key="delivery" value={deliveryId} label={words.delivery} />],
          ]}
        />
        <div className={css.detailsActions}>
          {owner && row.state !== 'due' && <Resend row={row} />}
          {row.transactionId !== null && (
            <Button
              size="xs"
              variant="subtle"
              component={Link}
              href={`/m/${merchantId}/transactions/${row.transactionId}`}
            >
              {words.transaction}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function Resend({ row }: { readonly row: DeliveryLine }) {
  const words = useTexts(TEXTS).log;
  const trpc = useTRPC();
  const client = useQueryClient();
  const { merchantId } = useMerchant();
  const resend = useMutation(trpc.webhook.resend.mutationOptions());
  const send = async () => {
    try {
      await resend.mutateAsync({ merchantId, deliveryId: row.deliveryId });
      await client.invalidateQueries(trpc.webhook.deliveries.infiniteQueryFilter({ merchantId }));
      notifyDone(words.resent);
    } catch (error) {
      notifyFault(error);
    }
  };
  return (
    <SmallButton
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={resend.isPending}
      onClick={() => void send()}
    >
      {words.resend}
    </SmallButton>
  );
}
