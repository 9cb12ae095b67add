import { Box, Button, Loader, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { TbCircleCheck, TbCircleX, TbSend } from 'react-icons/tb';
import type { Delivery } from '../../../webhook/deliveries.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code.tsx';
import { Attempts } from '../../ui/delivery-attempts.tsx';
import { Failed, useFailure } from '../../ui/loaded.tsx';
import { notifyFault } from '../../ui/notify.ts';
import { TEXTS } from './texts.ts';
import css from './webhook.module.css';

const LIVE_MS = 300;

const SAMPLE = `{
  "event": "webhook.test",
  "timestamp": "2026-01-15T22:58:31.204Z",
  "data": {
    "id": "tx_test_…",
    "externalOrderId": "TEST",
    "amount": 1,
    "currency": "EUR",
    "paymentMethod": null,
    "status": "pending",
    "paidAt": null
  }
}`;

/** Sends a test event and follows its delivery. */
export function TestEvent({ hasUrl }: { readonly hasUrl: boolean }) {
  const words = TEXTS.test;
  const { merchantId } = useMerchant();
  const owner = useMayChange();
  const [sent, setSent] = useState<string | null>(null);
  const send = useMutation(
    trpc.webhook.sendTest.mutationOptions({
      onSuccess: ({ deliveryId }) => {
        setSent(deliveryId);
        return queryClient.invalidateQueries(trpc.webhook.deliveries.infiniteQueryFilter({ merchantId }));
      },
      onError: notifyFault,
    }),
  );
  const query = useQuery(
    trpc.webhook.delivery.queryOptions(
      { merchantId, deliveryId: sent ?? '' },
      {
        enabled: sent !== null,
        refetchInterval: ({ state }) =>
          state.data === undefined || state.data.state === 'due' ? LIVE_MS : false,
      },
    ),
  );
  const failure = useFailure(query);
  const ended = query.data !== undefined && query.data.state !== 'due';
  useEffect(() => {
    if (ended)
      void queryClient.invalidateQueries(trpc.webhook.deliveries.infiniteQueryFilter({ merchantId }));
  }, [ended, merchantId]);
  const running = send.isPending || (sent !== null && !ended && failure === null);
  return (
    <Card title={words.title}>
      <Text mb={16} maw="72ch" c="dimmed" textWrap="pretty">
        {words.hint}
      </Text>
      {owner && (
        <Button
          leftSection={<TbSend size={16} aria-hidden />}
          disabled={!hasUrl}
          loading={running}
          onClick={() => send.mutate({ merchantId })}
        >
          {sent === null ? words.send : words.again}
        </Button>
      )}
      {owner && !hasUrl && (
        <Text mt={10} c="dimmed" fz="0.9rem" textWrap="pretty">
          {words.noUrl}
        </Text>
      )}
      {sent === null && (
        <Box component="figure" mt={20} pt={18} className="line-above">
          <Text component="figcaption" mb={8} c="dimmed" fz="0.85rem">
            {words.sample}
          </Text>
          <Code text={SAMPLE} />
        </Box>
      )}
      {sent !== null && (
        <Box mt={20} pt={18} className="line-above" aria-live="polite">
          {failure === null ? (
            <Verdict delivery={query.data} />
          ) : (
            <Failed error={failure} onAgain={query.refetch} />
          )}
          {query.data !== undefined && query.data.attempts.length > 0 && <Attempts delivery={query.data} />}
        </Box>
      )}
    </Card>
  );
}

function Verdict({ delivery }: { readonly delivery: Delivery | undefined }) {
  const words = TEXTS.test;
  if (delivery === undefined || delivery.state === 'due') {
    const again = delivery?.attempts.some((attempt) => attempt.error !== null) === true;
    return (
      <p className={css.verdict}>
        <Loader size="xs" aria-hidden /> {again ? words.next : words.waiting}
      </p>
    );
  }
  if (delivery.state === 'delivered') {
    return (
      <p className={`${css.verdict} ${css.good}`}>
        <TbCircleCheck size={22} aria-hidden /> {words.arrived}
      </p>
    );
  }
  return (
    <>
      <p className={`${css.verdict} ${css.bad}`}>
        <TbCircleX size={22} aria-hidden /> {words.failed}
      </p>
      <Text mt={-4} mb={16} c="dimmed" fz="0.9rem" textWrap="pretty">
        {words.failedHint}
      </Text>
    </>
  );
}
