import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSend } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENT_KINDS } from '../../lib/event-kinds.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { notifyFault } from '../../ui/notify.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { Delivery, Detail } from './data.ts';
import css from './deliveries.module.css';
import { RequestView } from './request.tsx';
import { errorIn, WEBHOOK_TEXTS } from './webhook-texts.ts';

interface Props {
  readonly detail: Detail;
  readonly mayResend: boolean;
}

/** The webhook deliveries with their attempts, and a resend button. */
export function Deliveries({ detail, mayResend }: Props) {
  const words = useTexts(WEBHOOK_TEXTS);
  return (
    <Card title={words.title}>
      {detail.deliveries.length === 0 ? (
        <p className={css.none}>{words.none}</p>
      ) : (
        <ul>
          {detail.deliveries.toReversed().map((delivery) => (
            <Item key={delivery.deliveryId} detail={detail} delivery={delivery} mayResend={mayResend} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Item({ detail, delivery, mayResend }: Props & { readonly delivery: Delivery }) {
  const words = useTexts(WEBHOOK_TEXTS);
  const kinds = useTexts(EVENT_KINDS);
  const format = useFormat();
  const [opened, setOpened] = useState(false);
  const origin = words.origin[delivery.origin];
  const running = delivery.state === 'due' && delivery.attempts.some(({ durationMs }) => durationMs === null);
  return (
    <li className={css.item} aria-label={`${kinds[delivery.kind]} ${delivery.deliveryId}`}>
      <div className={css.head}>
        <div className={css.names}>
          <strong className={css.kind}>{kinds[delivery.kind]}</strong>
          <StateBadge state={delivery.state} />
          <span className={css.soft}>
            {[delivery.number === null ? '' : words.number(format.count(delivery.number)), origin]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
        <span className={css.soft}>
          <Time at={delivery.createdAt} />
        </span>
      </div>
      {delivery.attempts.length > 0 && <AttemptLines delivery={delivery} />}
      {delivery.attempts.length < delivery.attemptsCount && (
        <p className={css.soft}>{words.forgotten(delivery.attemptsCount, detail.attemptsKeptDays)}</p>
      )}
      {delivery.nextAttemptAt !== null && !running && (
        <p className={css.soft}>{words.next(format.clock(delivery.nextAttemptAt))}</p>
      )}
      <div className={css.actions}>
        {mayResend && <Resend detail={detail} delivery={delivery} />}
        <Button
          variant="subtle"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
          rightSection={
            opened ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />
          }
        >
          {opened ? words.hide : words.request}
        </Button>
      </div>
      {opened && <RequestView merchantId={detail.merchantId} delivery={delivery} />}
    </li>
  );
}

/** A row per attempt. */
function AttemptLines({ delivery }: { readonly delivery: Delivery }) {
  const words = useTexts(WEBHOOK_TEXTS);
  const format = useFormat();
  const { language } = useLanguage();
  return (
    <ol className={css.attempts} aria-label={words.attempts}>
      {delivery.attempts.map(({ number, startedAt, durationMs, status, error, errorDetail }) => (
        <li key={number} className={css.attempt}>
          <span className={css.number}>{number}</span>
          <time dateTime={new Date(startedAt).toISOString()}>
            {format.timeInFull(startedAt).split(' (')[0]}
          </time>
          <span className={css.took}>
            {durationMs === null ? words.running : format.duration(durationMs)}
          </span>
          <span className={error === null ? css.answer : `${css.answer} ${css.bad}`}>
            {durationMs === null
              ? null
              : error === null
                ? words.answered(status ?? 200)
                : errorIn(language, error)}
            {errorDetail !== null && <span className={css.fine}>{`${words.detail}: ${errorDetail}`}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Resends the event and shows the result in place. */
function Resend({ detail, delivery }: { readonly detail: Detail; readonly delivery: Delivery }) {
  const words = useTexts(WEBHOOK_TEXTS);
  const kinds = useTexts(EVENT_KINDS);
  const trpc = useTRPC();
  const cache = useQueryClient();
  const resend = useMutation(
    trpc.webhook.resend.mutationOptions({
      onError: notifyFault,
      onSettled: () => cache.invalidateQueries({ queryKey: trpc.transaction.pathKey() }),
    }),
  );
  const sent = detail.deliveries.find(({ deliveryId }) => deliveryId === resend.data?.deliveryId);
  const waiting =
    resend.isPending || (resend.data !== undefined && (sent === undefined || sent.state === 'due'));
  return (
    <>
      <Button
        variant="default"
        loading={waiting}
        leftSection={<IconSend size={16} aria-hidden />}
        aria-label={words.resendName(kinds[delivery.kind])}
        onClick={() => resend.mutate({ merchantId: detail.merchantId, deliveryId: delivery.deliveryId })}
      >
        {words.resend}
      </Button>
      <span role="status" className={css.result}>
        {resend.data !== undefined && <Result sent={sent} />}
      </span>
    </>
  );
}

function Result({ sent }: { readonly sent: Delivery | undefined }) {
  const words = useTexts(WEBHOOK_TEXTS);
  const format = useFormat();
  const { language } = useLanguage();
  const last = sent?.attempts.findLast(({ durationMs }) => durationMs !== null);
  const error = last?.error == null ? null : errorIn(language, last.error);
  if (sent === undefined || (sent.state === 'due' && error === null)) return words.sending;
  if (sent.state === 'due') return words.retrying(error ?? '');
  if (sent.state === 'skipped') return words.skipped;
  if (sent.state === 'undelivered') return <span className={css.bad}>{words.failed(error ?? '')}</span>;
  return (
    <span className={css.good}>
      {words.sent(last?.status ?? 200, format.duration(last?.durationMs ?? 0))}
    </span>
  );
}
