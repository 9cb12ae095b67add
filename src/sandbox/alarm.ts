import type { Clock } from '../kernel/clock.ts';

export interface Alarm {
  /** Looks anew at when the next thing is due; cheap, may be called at any time. */
  wake(): void;
  stop(): void;
}

/** Calls `ring` whenever `nextAt` has come; what is due lives in the storage, so a restart only needs a `wake`. */
export function createAlarm(clock: Clock, nextAt: () => number | null, ring: () => void): Alarm {
  let cancel: (() => void) | null = null;
  let stopped = false;
  const alarm: Alarm = {
    wake() {
      cancel?.();
      cancel = null;
      if (stopped) return;
      const at = nextAt();
      if (at === null) return;
      cancel = clock.after(Math.max(0, at - clock.now()), () => {
        cancel = null;
        if (stopped) return;
        ring();
        alarm.wake();
      });
    },
    stop() {
      stopped = true;
      cancel?.();
      cancel = null;
    },
  };
  return alarm;
}
