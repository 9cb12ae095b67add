import { Box, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { TbArrowDownRight, TbArrowUpRight } from 'react-icons/tb';
import { Link } from 'wouter';
import { dayAfter } from '../../../../kernel/lisbon.ts';
import type { Overview } from '../../../overview/show.ts';
import { format } from '../../lib/format.ts';
import { useMerchant } from '../../lib/session.ts';
import card from '../../ui/card.module.css';
import { Card } from '../../ui/card.tsx';
import { Hint } from '../../ui/soft.tsx';
import { paidSince } from './lists.ts';
import css from './overview.module.css';
import { TEXTS } from './texts.ts';

const CONVERSION_DAYS = 30;

/** The conversion rate of each method. */
export function Conversion({ conversion, today }: Pick<Overview, 'conversion' | 'today'>) {
  const { merchantId } = useMerchant();
  return (
    <Card title={TEXTS.conversion}>
      <Stack component="ul" gap={18}>
        {conversion.map(({ method, begun, paid, share }) => (
          <Box key={method} component="li" pos="relative">
            <Group justify="space-between" align="baseline" wrap="nowrap">
              <Link
                href={paidSince(merchantId, dayAfter(today, 1 - CONVERSION_DAYS), method)}
                className={card.over}
                style={{ fontWeight: 560 }}
              >
                {TEXTS.methods[method]}
              </Link>
              <Text span fz="1.2rem" fw={660}>
                {share === null ? '–' : format.percent(share)}
              </Text>
            </Group>
            <Progress
              mt={4}
              mb={6}
              value={(share ?? 0) * 100}
              color={method === 'MBWAY' ? 'var(--accent)' : 'var(--teal)'}
              aria-hidden
            />
            <Hint>
              {begun === 0
                ? TEXTS.noneBegun
                : `${TEXTS.conversionOf(format.count(paid), format.count(begun))}, ${
                    method === 'MBWAY' ? TEXTS.mbwayBegun : TEXTS.referenceBegun
                  }`}
            </Hint>
          </Box>
        ))}
      </Stack>
    </Card>
  );
}

export function Pending({ pending }: { readonly pending: Overview['pending'] }) {
  const { merchantId } = useMerchant();
  return (
    <Card title={TEXTS.pending} href={`/m/${merchantId}/transactions?state=pending`}>
      <p className={css.amount}>{format.euro(pending.cents)}</p>
      <Text c="dimmed" mt={2}>
        {pending.count === 0
          ? TEXTS.pendingNone
          : TEXTS.pendingCount(format.count(pending.count), pending.count === 1)}
      </Text>
    </Card>
  );
}

type Span = Overview['taken'][number];

/** Sales of a period and of the period before it. */
export function TakenCard({ taken, today }: { readonly taken: Span; readonly today: string }) {
  const { merchantId } = useMerchant();
  const id = useId();
  const { days, now, before } = taken;
  const amountBefore = format.euro(before.cents);
  return (
    <section className={css.money} aria-labelledby={id}>
      <Text component="h2" id={id} mb={6} fz="0.92rem" fw={560} c="dimmed">
        <Link href={paidSince(merchantId, dayAfter(today, 1 - days))} className={card.over}>
          {TEXTS.days[days]}
        </Link>
      </Text>
      <p className={css.amount}>{format.euro(now.cents)}</p>
      <Text c="dimmed" mt={2}>
        {TEXTS.payments(format.count(now.count), now.count === 1)}
      </Text>
      <p className={css.before}>
        <span>{days === 1 ? TEXTS.yesterday(amountBefore) : TEXTS.before(days, amountBefore)}</span>
        {/* Today is incomplete, so it is not compared. */}
        {days !== 1 && <Change now={now.cents} before={before.cents} />}
      </p>
    </section>
  );
}

function Change({ now, before }: { readonly now: number; readonly before: number }) {
  if (before === 0) return null;
  const share = format.percent(Math.abs(Math.round((now / before - 1) * 100)) / 100);
  const more = now >= before;
  const said = now === before ? TEXTS.same : more ? TEXTS.more(share) : TEXTS.less(share);
  return (
    <Group
      component="span"
      display="inline-flex"
      wrap="nowrap"
      gap={2}
      fw={600}
      c={more ? 'var(--good)' : 'var(--warn)'}
      title={said}
    >
      {more ? <TbArrowUpRight size={16} aria-hidden /> : <TbArrowDownRight size={16} aria-hidden />}
      <span aria-hidden>{share}</span>
      <VisuallyHidden component="span">{said}</VisuallyHidden>
    </Group>
  );
}
