import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useNow } from '../../ui/time.tsx';
import css from './page.module.css';
import { TEXTS } from './texts.ts';

const RADIUS = 21;
const LENGTH = 2 * Math.PI * RADIUS;
const TICK_MS = 500;

interface Props {
  /** The window, in the service's time. */
  readonly from: number;
  readonly until: number;
  /** The service's own time when the page asked. */
  readonly serverNow: number;
}

/** What is left of the customer's time to confirm; gone when it is over. Counts by the service's clock. */
export function Countdown({ from, until, serverNow }: Props) {
  const words = useTexts(TEXTS);
  const now = useNow(TICK_MS);
  // The difference of the two clocks, as seen when the window was first shown: later answers only add their way to it.
  const [ahead] = useState(() => serverNow - Date.now());
  const leftMs = until - (now + ahead);
  if (leftMs <= 0) return null;
  const seconds = Math.ceil(leftMs / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const share = Math.min(1, leftMs / Math.max(1, until - from));
  return (
    <div className={css.count} role="timer" aria-label={words.left(time)}>
      <svg width="52" height="52" className={css.ring} aria-hidden>
        <circle className={css.track} cx="26" cy="26" r={RADIUS} />
        <circle
          className={css.rest}
          cx="26"
          cy="26"
          r={RADIUS}
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - share)}
        />
      </svg>
      <span aria-hidden>
        <span className={css.digits}>{time}</span> {words.left('').trim()}
      </span>
    </div>
  );
}
