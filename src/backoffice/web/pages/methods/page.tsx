import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import css from './methods.module.css';
import { TEXTS } from './texts.ts';

export default function MethodsPage() {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const query = useQuery(trpc.methods.list.queryOptions({ merchantId }));
  return (
    <Page title={words.pages.methods} description={words.description}>
      <Loaded query={query} skeleton={<Skeletons />}>
        {(methods) => (
          <ul className={css.methods}>
            {methods.map((method) => (
              <MethodCard key={method.id} method={method} />
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  );
}

function Skeletons() {
  return (
    <div className={css.methods}>
      {['one', 'two', 'three'].map((name) => (
        <Skeleton key={name} height={300} radius="lg" />
      ))}
    </div>
  );
}

type Method = RouterOutputs['methods']['list'][number];

/** A payment method with its limits. */
function MethodCard({ method }: { readonly method: Method }) {
  const words = useTexts(TEXTS);
  return (
    <li className={method.active ? css.method : `${css.method} ${css.off}`}>
      <Group justify="space-between" gap={8}>
        <Text component="h2" fz="1.25rem" fw={660}>
          {method.id === 'CARD' ? words.CARD.name : words.methods[method.id]}
        </Text>
        {method.active ? <StateBadge state="active" /> : <Soft>{words.unavailable}</Soft>}
      </Group>
      <Text textWrap="pretty">{words[method.id].how}</Text>
      <Limits method={method} />
    </li>
  );
}

function Limits({ method }: { readonly method: Method }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { id, minCents, maxCents, windowMs, days } = method;
  if (id === 'CARD' || minCents === null || maxCents === null) return null;
  const time =
    windowMs !== null
      ? words.MBWAY.time(format.duration(windowMs))
      : days !== null
        ? words.REFERENCE.time(days)
        : null;
  return (
    <>
      <Facts
        items={[
          [words.amount, words.between(format.euro(minCents), format.euro(maxCents))],
          [words.time, time],
        ]}
      />
      <Text mt="auto" pt={4} c="dimmed" fz="0.9rem" textWrap="pretty">
        {words[id].after}
      </Text>
    </>
  );
}
