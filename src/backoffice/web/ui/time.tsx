import { useEffect, useState } from 'react';
import { useFormat } from '../lib/format.ts';

interface Props {
  readonly at: number;
  /** `time`: day and time; `ago`: how long since, kept fresh; `clock`: the time alone; `date`: the day alone. */
  readonly as?: 'time' | 'ago' | 'clock' | 'date';
}

const FRESH_MS = 30_000;

/** An instant in Lisbon; resting on it tells the second and the zone. */
export function Time({ at, as = 'time' }: Props) {
  const format = useFormat();
  const now = useNow(as === 'ago' ? FRESH_MS : null);
  const shown = as === 'ago' ? format.ago(at, now) : format[as](at);
  return (
    <time dateTime={new Date(at).toISOString()} title={format.timeInFull(at)}>
      {shown}
    </time>
  );
}

/** The present, read again every `everyMs`; null reads it once. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
