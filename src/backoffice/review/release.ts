import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { ExceptionRefused } from '../../payments/exceptions/exception.ts';
import { releaseTransaction } from '../../payments/release.ts';
import type { MoveDeps } from '../../payments/transitions.ts';

export const RELEASED_AT_ONCE_MAX = 100;

export interface Released {
  transactionId: string;
  outcome: 'released' | 'paid' | 'not_held' | 'failed';
}

/** Releases sales, each for itself: one that cannot be released keeps none of the others. */
export async function releaseHeld(
  deps: MoveDeps & Pick<Deps, 'db' | 'log' | 'actor'>,
  transactionIds: readonly string[],
): Promise<Released[]> {
  const release = async (transactionId: string): Promise<Released> => {
    try {
      await releaseTransaction(deps, transactionId);
      return { transactionId, outcome: 'released' };
    } catch (error) {
      if (error instanceof ExceptionRefused && (error.fault === 'paid' || error.fault === 'not_held')) {
        return { transactionId, outcome: error.fault };
      }
      deps.log.error({ transactionId, detail: errorText(error) }, 'a held sale could not be released');
      return { transactionId, outcome: 'failed' };
    }
  };
  return Promise.all([...new Set(transactionIds)].map(release));
}
