import { Button, Checkbox, Flex, Group, Progress, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { DAY_MS, HOUR_MS } from '../../../../kernel/clock.ts';
import { instantFromLisbon, lisbonDay, lisbonText } from '../../../../kernel/lisbon.ts';
import { format } from '../../lib/format.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { Alarm } from '../../ui/alarm.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { FailedOnly } from '../../ui/loaded.tsx';
import { Soft } from '../../ui/soft.tsx';
import { useNow } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';
import type { Recovery, Webhook } from './types.ts';
import css from './webhook.module.css';

/** A label that is wider than a phone takes two lines. */
const WRAPPED = { h: 'auto', py: 6, styles: { label: { whiteSpace: 'normal' } } } as const;
/** A run that has not finished queueing by then was interrupted. */
const QUEUING_MS_MAX = 15 * 60_000;
/** How long finished runs are shown. */
const SHOWN_MS = DAY_MS;
const RUNS_MAX = 3;
const LIVE_MS = 700;

interface AlarmProps {
  readonly missed: NonNullable<Webhook['missed']>;
  readonly active: boolean;
}

/** The alert about undelivered payment events; a notice when only isolated events are undelivered. */
export function MissedAlarm({ missed, active }: AlarmProps) {
  const words = TEXTS.recovery;
  const owner = useMayChange();
  const count = format.count(missed.events);
  const many = missed.more || missed.events > 1;
  return (
    <Alarm
      tone={missed.many ? 'bad' : 'warn'}
      role={missed.many ? 'alert' : 'note'}
      title={missed.more ? words.alarmMore(count) : words.alarm(count, many)}
      action={
        owner &&
        active && (
          <Recover
            since={missed.since}
            trigger={
              <Button {...WRAPPED} {...(missed.many && { color: 'red.9' })}>
                {words.open}
              </Button>
            }
          />
        )
      }
    >
      <p>{words.alarmHint(format.time(missed.since), many, active)}</p>
    </Alarm>
  );
}

interface RecoverProps {
  /** The default start; null means yesterday. */
  readonly since: number | null;
  readonly trigger: ReactElement<{ onClick?: () => void }>;
}

/** The dialog that starts a recovery. */
export function Recover({ since, trigger }: RecoverProps) {
  const words = TEXTS.recovery;
  const { merchantId } = useMerchant();
  const [typed, setTyped] = useState<string | null>(null);
  const [latest, setLatest] = useState(false);
  const recover = useChange(trpc.webhook.recover);
  const now = useNow(null);
  const from = since ?? now - DAY_MS;
  const field = typed ?? `${lisbonDay(from)} ${format.clock(from)}`;
  const instant = instantOf(field);
  const good = instant !== null && instant <= Date.now();
  const start = async () => {
    if (instant === null) return;
    // Polls while the run is still queueing.
    const soon = setTimeout(
      () => void queryClient.invalidateQueries(trpc.webhook.recoveries.queryFilter()),
      LIVE_MS,
    );
    try {
      await recover.mutateAsync({ merchantId, since: instant, latest });
    } finally {
      clearTimeout(soon);
    }
  };
  return (
    <Confirm
      title={words.title}
      confirmLabel={words.confirm}
      confirmDisabled={!good}
      onConfirm={start}
      trigger={trigger}
    >
      <Stack>
        <span>{words.body}</span>
        <DayField
          required
          withTime
          label={words.since}
          value={field}
          error={good ? undefined : words.sinceWrong}
          onChange={setTyped}
        />
        <Checkbox
          label={words.latest}
          description={words.latestHint}
          checked={latest}
          onChange={(event) => setLatest(event.currentTarget.checked)}
        />
      </Stack>
    </Confirm>
  );
}

/** The latest recovery runs with their progress. */
export function Runs() {
  const words = TEXTS.recovery;
  const { merchantId } = useMerchant();
  const now = useNow(LIVE_MS * 10);
  const runs = useQuery(
    trpc.webhook.recoveries.queryOptions(
      { merchantId },
      { refetchInterval: ({ state }) => (state.data?.some(isRunning) ? LIVE_MS : false) },
    ),
  );
  if (runs.data === undefined) return <FailedOnly query={runs} />;
  const recent = runs.data.filter((run) => now - Date.parse(run.startedAt) < SHOWN_MS || run.due > 0);
  if (recent.length === 0) return null;
  return (
    <Card title={words.runs}>
      <Flex component="ul" direction="column" gap={18}>
        {recent.slice(0, RUNS_MAX).map((run) => (
          <Run key={run.recoveryId} run={run} now={now} />
        ))}
      </Flex>
    </Card>
  );
}

function Run({ run, now }: { readonly run: Recovery; readonly now: number }) {
  const words = TEXTS.recovery;
  const done = run.queued - run.due;
  const since = format.time(Date.parse(run.since));
  const failed = run.undelivered + run.skipped;
  return (
    <Flex component="li" direction="column" gap={8}>
      <Group justify="space-between" align="stretch" gap="2px 14px">
        <strong>{run.latest ? words.runLatest(since) : words.run(since)}</strong>
        <Soft>{words.started(format.ago(Date.parse(run.startedAt), now))}</Soft>
      </Group>
      {(run.queued > 0 || !run.complete) && (
        <Progress.Root size="lg">
          <Progress.Section
            value={run.queued === 0 ? 0 : (run.delivered / run.queued) * 100}
            color="teal.7"
            aria-label={words.bar}
          />
          <Progress.Section
            value={run.queued === 0 ? 0 : (failed / run.queued) * 100}
            color="red.7"
            aria-hidden
            withAria={false}
          />
        </Progress.Root>
      )}
      <Group align="stretch" gap="2px 14px" fz="0.92rem" aria-live="polite">
        <RunWords run={run} now={now} done={done} />
        {run.undelivered > 0 && (
          <span className={css.bad}>{words.failed(format.count(run.undelivered))}</span>
        )}
        {run.skipped > 0 && <span className={css.bad}>{words.skipped(format.count(run.skipped))}</span>}
      </Group>
    </Flex>
  );
}

function RunWords({
  run,
  now,
  done,
}: {
  readonly run: Recovery;
  readonly now: number;
  readonly done: number;
}) {
  const words = TEXTS.recovery;
  if (!run.complete) {
    const old = now - Date.parse(run.startedAt) > QUEUING_MS_MAX;
    return <span>{old ? words.interrupted : words.queuing}</span>;
  }
  if (run.queued === 0) return <span>{words.none}</span>;
  const all = format.count(run.queued);
  if (run.delivered === run.queued)
    return <span className={css.good}>{words.allArrived(all, run.queued === 1)}</span>;
  return <span>{words.progress(format.count(done), all)}</span>;
}

function isRunning(run: Recovery): boolean {
  return run.due > 0 || (!run.complete && Date.now() - Date.parse(run.startedAt) < QUEUING_MS_MAX);
}

/**
 * Returns the instant of a day and time in Lisbon, the earlier one in the repeated hour of October, so that no event is left out;
 * null when it is empty.
 */
function instantOf(field: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})/.exec(field);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const instant = instantFromLisbon({ year, month, day, hour, minute, second: 0 });
  const hourBefore = instant - HOUR_MS;
  return lisbonText(hourBefore) === lisbonText(instant) ? hourBefore : instant;
}
