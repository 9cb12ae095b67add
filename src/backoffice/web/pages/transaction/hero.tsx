import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { format, inThrees } from '../../lib/format.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copyable.tsx';
import { DomainName } from '../../ui/domain-name.tsx';
import { Facts } from '../../ui/facts.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { type Detail, situation } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';

interface Props {
  readonly detail: Detail;
}

/** The amount, status and explanation. */
export function Hero({ detail }: Props) {
  const { says, todo } = summaryOf(detail);
  const { push } = situation(detail);
  return (
    <Card>
      <div className={css.hero}>
        <div>
          <Group gap="10px 18px">
            <Text fz="clamp(2.3rem, 7vw, 3.2rem)" fw={700} lts="-0.03em" lh={1.1}>
              {format.euro(detail.amountCents)}
            </Text>
            <StateBadge state={detail.held ? 'held' : detail.status} large />
          </Group>
          <div aria-live="polite">
            <Text mt={12} maw="54ch" textWrap="pretty">
              {says}
            </Text>
            {todo !== null && <p className={css.soft}>{todo}</p>}
          </div>
          {push?.expiresAt != null && detail.status === 'pending' && !detail.held && (
            <Countdown
              from={push.acceptedAt ?? push.createdAt}
              until={push.expiresAt}
              serverNow={detail.now}
            />
          )}
        </div>
        <HeroFacts detail={detail} />
      </div>
    </Card>
  );
}

function HeroFacts({ detail }: Props) {
  const across = usePageMerchant() === null;
  const shown =
    detail.attempts.findLast(({ state }) => state === 'paid') ??
    detail.attempts.findLast(({ method }) => method === detail.method);
  return (
    <Facts
      items={[
        [TEXTS.merchant, across ? detail.merchantName : null],
        [TEXTS.created, <Time key="created" at={detail.createdAt} />],
        [TEXTS.method, detail.method === null ? null : TEXTS.methods[detail.method]],
        [TEXTS.phone, shown?.phoneNumber == null ? null : inThrees(shown.phoneNumber)],
        [TEXTS.entity, shown?.entity ?? null],
        [
          TEXTS.reference,
          shown?.reference == null ? null : (
            <>
              {inThrees(shown.reference)}{' '}
              <CopyButton value={shown.reference} label={TEXTS.reference.toLowerCase()} />
            </>
          ),
        ],
        [
          TEXTS.payUntil,
          shown?.entity != null && shown.state === 'open' && shown.expiresAt !== null ? (
            <Time key="until" at={shown.expiresAt} />
          ) : null,
        ],
        [TEXTS.received, detail.receivedCents === 0 ? null : format.euro(detail.receivedCents)],
        [TEXTS.pages.refunds, detail.refundedCents === 0 ? null : format.euro(detail.refundedCents)],
        [TEXTS.link, detail.linkTitle],
        // The store of a link's order is this service.
        [
          TEXTS.shop,
          detail.linkTitle === null ? (
            <DomainName key="shop" domain={detail.storeDomain} names={detail.domainNames} />
          ) : null,
        ],
      ]}
    />
  );
}

const RADIUS = 21;
const LENGTH = 2 * Math.PI * RADIUS;
const TICK_MS = 500;

interface CountdownProps {
  /** The end of the window, in server time. */
  readonly from: number;
  readonly until: number;
  /** The server time of the response. */
  readonly serverNow: number;
}

/** The remaining time to confirm, by the server's clock; renders nothing afterwards. */
function Countdown({ from, until, serverNow }: CountdownProps) {
  const now = useNow(TICK_MS);
  // The clock offset is taken once; later responses would add network delay.
  const [ahead] = useState(() => serverNow - Date.now());
  const leftMs = until - (now + ahead);
  if (leftMs <= 0) return null;
  const seconds = Math.ceil(leftMs / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const share = Math.min(1, leftMs / Math.max(1, until - from));
  return (
    <Group gap={14} mt={16} fw={600} wrap="nowrap" role="timer" aria-label={TEXTS.left(time)}>
      <svg width="52" height="52" className={css.ring} aria-hidden>
        <circle className={css.track} cx="26" cy="26" r={RADIUS} />
        <circle
          className={css.rest}
          cx="26"
          cy="26"
          r={RADIUS}
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - share)}
        />
      </svg>
      <span aria-hidden>
        <Text span fz="1.5rem" fw={680} lts="-0.01em">
          {time}
        </Text>{' '}
        {TEXTS.left('').trim()}
      </span>
    </Group>
  );
}

/** Returns a sentence on the status and the next step. */
function summaryOf(detail: Detail): { says: string; todo: string | null } {
  const { says } = TEXTS;
  const { newPayment } = says;
  if (detail.held) return { says: says.held, todo: null };
  switch (detail.status) {
    case 'paid': {
      const how = TEXTS.methods[detail.method ?? 'MBWAY'];
      const when = format.time(detail.paidAt ?? detail.createdAt);
      // After a refund of a surplus, the price is still paid.
      const covered = detail.receivedCents - detail.refundedCents >= detail.amountCents;
      return {
        says: `${says.paid(how, when)} ${covered ? says.fulfil : says.refunds(format.euro(detail.refundedCents))}`,
        todo: null,
      };
    }
    case 'failed':
      return { says: failure(detail, says), todo: newPayment };
    case 'cancelled': {
      const tried = detail.attempts.some(({ state }) => state === 'lapsed');
      return { says: withMoney(detail, says) ?? (tried ? says.lapsed : says.abandoned), todo: newPayment };
    }
    case 'pending':
      return pending(detail, says);
  }
}

type Says = typeof TEXTS.says;

const FAILURES = ['rejected', 'declined', 'expired'] as const;

function failure(detail: Detail, says: Says): string {
  const money = withMoney(detail, says);
  if (money !== null) return money;
  const states = detail.attempts.map(({ state }) => FAILURES.find((failure) => failure === state));
  return says[states.findLast((state) => state !== undefined) ?? 'failed'];
}

/** "Nothing was charged" would be wrong here. */
function withMoney(detail: Detail, says: Says): string | null {
  return detail.receivedCents > 0 ? says.partly : null;
}

function pending(detail: Detail, says: Says): { says: string; todo: string | null } {
  const { push, reference, unclear, last } = situation(detail);
  const money = withMoney(detail, says);
  if (unclear) return { says: says.unclear, todo: money };
  if (push !== undefined) return { says: pushSays(detail, push, says), todo: money };
  if (reference !== undefined) return { says: says.reference, todo: money };
  if (money !== null) return { says: money, todo: null };
  if (last?.state === 'initiated') return { says: says.starting, todo: null };
  return { says: last === undefined ? says.untouched : says.again, todo: null };
}

function pushSays(detail: Detail, push: Detail['attempts'][number], says: Says): string {
  if (push.state === 'initiated') return says.starting;
  if (push.expiresAt !== null && push.expiresAt <= detail.now) return says.pushOver;
  return says.pushOpen(inThrees(push.phoneNumber ?? ''));
}
