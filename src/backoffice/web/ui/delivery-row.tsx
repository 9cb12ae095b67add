import { Box, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { TbChevronDown, TbRefresh } from 'react-icons/tb';
import { Link } from 'wouter';
import type { DeliveryLine } from '../../webhook/deliveries.ts';
import { EVENT_NAMES } from '../lib/event-names.ts';
import { format } from '../lib/format.ts';
import { useMayChange } from '../lib/session.ts';
import { trpc } from '../lib/trpc.ts';
import { copyable } from './copyable.tsx';
import css from './delivery.module.css';
import { Attempts } from './delivery-attempts.tsx';
import { RequestView } from './delivery-request.tsx';
import { DELIVERY_TEXTS } from './delivery-texts.ts';
import { Facts } from './facts.tsx';
import { LinesSkeleton, Loaded } from './loaded.tsx';
import { SmallButton } from './small-button.tsx';
import { StateBadge } from './state-badge.tsx';
import { Time } from './time.tsx';
import { useChange } from './use-change.ts';

const LIVE_MS = 700;

interface Props {
  readonly row: DeliveryLine;
  readonly merchantId: string;
  /** Links to its transaction. */
  readonly linked?: boolean;
}

/** One delivery; it expands to show its attempts and its request. */
export function DeliveryRow(props: Props) {
  const { row } = props;
  const [open, setOpen] = useState(false);
  const panel = useId();
  const number = row.number === null ? null : DELIVERY_TEXTS.number(format.count(row.number));
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
          {EVENT_NAMES[row.kind]}
          <span className={css.quiet}>
            {number !== null && <span title={DELIVERY_TEXTS.numberHint}>{number}</span>}
            {row.origin !== 'event' && <span> · {DELIVERY_TEXTS.origin[row.origin]}</span>}
          </span>
        </span>
        <span className={css.lineTries}>
          {row.attemptsCount > 0 && DELIVERY_TEXTS.tries(row.attemptsCount)}
          {row.status !== null && <span className={css.status}>{row.status}</span>}
        </span>
        <span className={css.lineTime}>
          <Time at={row.createdAt} />
        </span>
        <TbChevronDown size={18} aria-hidden className={css.chevron} />
      </button>
      <div id={panel} hidden={!open}>
        {open && <Details {...props} />}
      </div>
    </li>
  );
}

function Details({ row, merchantId, linked = false }: Props) {
  const mayResend = useMayChange();
  const [requested, setRequested] = useState(false);
  const { deliveryId, nextAttemptAt } = row;
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
      <Box miw={0} fz="0.88rem">
        <Facts
          items={[
            [DELIVERY_TEXTS.created, <Time key="created" at={row.createdAt} />],
            [DELIVERY_TEXTS.event, copyable(row.eventId, DELIVERY_TEXTS.event)],
            [DELIVERY_TEXTS.delivery, copyable(deliveryId, DELIVERY_TEXTS.delivery)],
            [DELIVERY_TEXTS.next, nextAttemptAt === null ? null : format.clock(nextAttemptAt)],
          ]}
        />
        <Group gap={8} mt={14}>
          {mayResend && row.state !== 'due' && <Resend row={row} merchantId={merchantId} />}
          <Button
            size="xs"
            variant="subtle"
            aria-expanded={requested}
            onClick={() => setRequested(!requested)}
          >
            {DELIVERY_TEXTS.request}
          </Button>
          {linked && row.transactionId !== null && (
            <Button
              size="xs"
              variant="subtle"
              component={Link}
              href={`/m/${merchantId}/transactions/${row.transactionId}`}
            >
              {DELIVERY_TEXTS.transaction}
            </Button>
          )}
        </Group>
      </Box>
      {requested && <RequestView merchantId={merchantId} delivery={row} />}
    </div>
  );
}

function Resend({ row, merchantId }: Pick<Props, 'row' | 'merchantId'>) {
  const resend = useChange(trpc.webhook.resend, {
    done: DELIVERY_TEXTS.resent,
    also: ['transaction'],
    notifies: true,
  });
  return (
    <SmallButton
      leftSection={<TbRefresh size={14} aria-hidden />}
      loading={resend.isPending}
      onClick={() => resend.mutate({ merchantId, deliveryId: row.deliveryId })}
    >
      {DELIVERY_TEXTS.resend}
    </SmallButton>
  );
}
