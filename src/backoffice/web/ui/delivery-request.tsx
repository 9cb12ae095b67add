import { Box, Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveryRequest } from '../../transaction/request.ts';
import type { DeliveryLine } from '../../webhook/deliveries.ts';
import { trpc } from '../lib/trpc.ts';
import { Code } from './code.tsx';
import { CopyButton } from './copyable.tsx';
import css from './delivery-request.module.css';
import { DELIVERY_TEXTS } from './delivery-texts.ts';
import { Facts } from './facts.tsx';
import { LinesSkeleton, Loaded } from './loaded.tsx';
import { usePhone } from './phone.ts';
import { Hint } from './soft.tsx';

interface Props {
  readonly merchantId: string;
  readonly delivery: DeliveryLine;
}

/** The body and headers of a delivery. */
export function RequestView({ merchantId, delivery }: Props) {
  const query = useQuery(
    trpc.transaction.request.queryOptions(
      { merchantId, deliveryId: delivery.deliveryId },
      { refetchInterval: delivery.state === 'due' ? 1_500 : false },
    ),
  );
  return (
    <div className={css.request}>
      <Loaded query={query} skeleton={<LinesSkeleton lines={3} height={84} />}>
        {({ url, body, attempts }) => (
          <>
            <Facts items={[[DELIVERY_TEXTS.url, url ?? DELIVERY_TEXTS.noUrl]]} />
            <Box mt={18}>
              <Group gap={6}>
                <h3>{DELIVERY_TEXTS.body}</h3>
                <CopyButton value={body} label={DELIVERY_TEXTS.copyBody} />
              </Group>
              <section aria-label={DELIVERY_TEXTS.body}>
                <Code text={JSON.stringify(JSON.parse(body), null, 2)} />
              </section>
            </Box>
            {attempts.length > 0 && <AttemptChoice attempts={attempts} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Shows one attempt at a time, the last one first. */
function AttemptChoice({ attempts }: { readonly attempts: DeliveryRequest['attempts'] }) {
  const phone = usePhone();
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  if (shown === undefined) return null;
  return (
    <>
      {attempts.length > 1 && (
        <SegmentedControl
          mt="lg"
          aria-label={DELIVERY_TEXTS.attempts}
          value={String(shown.number)}
          onChange={(value) => setChosen(Number(value))}
          data={attempts.map(({ number }) => ({
            value: String(number),
            label: phone ? String(number) : DELIVERY_TEXTS.attempt(number),
          }))}
        />
      )}
      <Headers attempt={shown} />
    </>
  );
}

function Headers({ attempt }: { readonly attempt: DeliveryRequest['attempts'][number] }) {
  const hidden = attempt.headers.some(({ value }) => value === null);
  return (
    <Box mt={18}>
      <h3>{DELIVERY_TEXTS.headersOf(attempt.number)}</h3>
      <dl className={css.headers}>
        {attempt.headers.map(({ name, value, signature }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value ?? <em>{DELIVERY_TEXTS.signatureHidden}</em>}
              {signature && value !== null && <sup>*</sup>}
              {value !== null && <CopyButton value={value} label={DELIVERY_TEXTS.copyHeader(name)} />}
            </dd>
          </div>
        ))}
      </dl>
      {!hidden && <Hint mt={8}>* {DELIVERY_TEXTS.signatureNote}</Hint>}
    </Box>
  );
}
