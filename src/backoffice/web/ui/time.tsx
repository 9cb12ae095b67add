import { useEffect, useState } from 'react';
import { format } from '../lib/format.ts';
import { Soft } from './soft.tsx';

interface Props {
  readonly at: number;
  /** `time`: date and time; `ago`: relative time, kept up to date; `clock`: time only; `date`: date only. */
  readonly as?: 'time' | 'ago' | 'clock' | 'date';
  /** As secondary text. */
  readonly soft?: boolean;
}

const FRESH_MS = 30_000;

/** An instant in Lisbon time; the tooltip shows seconds and time zone. */
export function Time({ at, as = 'time', soft = false }: Props) {
  const now = useNow(as === 'ago' ? FRESH_MS : null);
  const shown = as === 'ago' ? format.ago(at, now) : format[as](at);
  const time = (
    <time dateTime={new Date(at).toISOString()} title={format.timeInFull(at)}>
      {shown}
    </time>
  );
  return soft ? <Soft>{time}</Soft> : time;
}

/** Returns the current time, updated every `everyMs`; null reads it once. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
