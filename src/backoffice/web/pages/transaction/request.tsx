import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { CopyButton } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { usePhone } from '../../ui/phone.ts';
import type { Delivery, Request } from './data.ts';
import css from './deliveries.module.css';
import { Json } from './json.tsx';
import { WEBHOOK_TEXTS } from './webhook-texts.ts';

interface Props {
  readonly merchantId: string;
  readonly delivery: Delivery;
}

/** The body, headers and response of a delivery. */
export function RequestView({ merchantId, delivery }: Props) {
  const words = useTexts(WEBHOOK_TEXTS);
  const trpc = useTRPC();
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
            <Facts items={[[words.url, url ?? words.noUrl]]} />
            <div className={css.block}>
              <div className={css.blockHead}>
                <h3>{words.body}</h3>
                <CopyButton value={body} label={words.copyBody} />
              </div>
              <Json text={body} label={words.body} />
            </div>
            {attempts.length > 0 && <AttemptChoice attempts={attempts} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Shows one attempt at a time, the last one first. */
function AttemptChoice({ attempts }: { readonly attempts: Request['attempts'] }) {
  const words = useTexts(WEBHOOK_TEXTS);
  const phone = usePhone();
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  if (shown === undefined) return null;
  return (
    <>
      {attempts.length > 1 && (
        <SegmentedControl
          mt="lg"
          aria-label={words.attempt}
          value={String(shown.number)}
          onChange={(value) => setChosen(Number(value))}
          data={attempts.map(({ number }) => ({
            value: String(number),
            label: phone ? String(number) : words.attemptName(number),
          }))}
        />
      )}
      <AttemptParts attempt={shown} />
    </>
  );
}

function AttemptParts({ attempt }: { readonly attempt: Request['attempts'][number] }) {
  const words = useTexts(WEBHOOK_TEXTS);
  const hidden = attempt.headers.some(({ value }) => value === null);
  return (
    <div className={css.block}>
      <h3>{words.headersOf(attempt.number)}</h3>
      <dl className={css.headers}>
        {attempt.headers.map(({ name, value, signature }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value ?? <em>{words.signatureHidden}</em>}
              {signature && value !== null && <sup>*</sup>}
              {value !== null && <CopyButton value={value} label={words.copyHeader(name)} />}
            </dd>
          </div>
        ))}
      </dl>
      {!hidden && <p className={css.soft}>* {words.signatureNote}</p>}
      {attempt.response !== null && (
        <>
          <h3>{words.response}</h3>
          {attempt.response === '' ? (
            <p className={css.soft}>{words.emptyAnswer}</p>
          ) : (
            <Json text={attempt.response} label={words.response} />
          )}
        </>
      )}
    </div>
  );
}
