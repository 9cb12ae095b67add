import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useNow } from '../../ui/time.tsx';
import css from './page.module.css';
import { TEXTS } from './texts.ts';

const RADIUS = 21;
const LENGTH = 2 * Math.PI * RADIUS;
const TICK_MS = 500;

interface Props {
  /** The end of the window, in server time. */
  readonly from: number;
  readonly until: number;
  /** The server time of the response. */
  readonly serverNow: number;
}

/** The remaining time to confirm, by the server's clock; renders nothing afterwards. */
export function Countdown({ from, until, serverNow }: Props) {
  const words = useTexts(TEXTS);
  const now = useNow(TICK_MS);
  // The clock offset is taken once; later responses would add network delay.
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
