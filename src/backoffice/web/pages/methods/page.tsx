import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { format } from '../../lib/format.ts';
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
  const { merchantId } = useMerchant();
  const query = useQuery(trpc.methods.list.queryOptions({ merchantId }));
  return (
    <Page title={TEXTS.pages.methods} description={TEXTS.description}>
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

function MethodCard({ method }: { readonly method: Method }) {
  return (
    <li className={method.active ? css.method : `${css.method} ${css.off}`}>
      <Group justify="space-between" gap={8}>
        <Text component="h2" fz="1.25rem" fw={660}>
          {method.id === 'CARD' ? TEXTS.CARD.name : TEXTS.methods[method.id]}
        </Text>
        {method.active ? <StateBadge state="active" /> : <Soft>{TEXTS.unavailable}</Soft>}
      </Group>
      <Text textWrap="pretty">{TEXTS[method.id].how}</Text>
      <Limits method={method} />
    </li>
  );
}

function Limits({ method }: { readonly method: Method }) {
  const { id, minCents, maxCents, windowMs, days } = method;
  if (id === 'CARD' || minCents === null || maxCents === null) return null;
  const time =
    windowMs !== null
      ? TEXTS.MBWAY.time(format.duration(windowMs))
      : days !== null
        ? TEXTS.REFERENCE.time(days)
        : null;
  return (
    <>
      <Facts
        items={[
          [TEXTS.amount, TEXTS.between(format.euro(minCents), format.euro(maxCents))],
          [TEXTS.time, time],
        ]}
      />
      <Text mt="auto" pt={4} c="dimmed" fz="0.9rem" textWrap="pretty">
        {TEXTS[id].after}
      </Text>
    </>
  );
}
