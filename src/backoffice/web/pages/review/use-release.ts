import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { notifyDone, notifyPartlyFailed } from '../../ui/notify.ts';
import { TEXTS } from './texts.ts';

/** The sales that the server releases in one call. */
const CALL_ROWS_MAX = 100;
const OUTCOMES = ['released', 'paid', 'not_held', 'failed'] as const;

/** Returns a function that releases sales, reports the results and refreshes the page. */
export function useRelease() {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const trpc = useTRPC();
  const client = useQueryClient();
  const release = useMutation(
    trpc.review.release.mutationOptions({
      onSuccess: (results) => {
        const counts = OUTCOMES.map(
          (name) => [name, results.filter((one) => one.outcome === name).length] as const,
        );
        const said = counts.filter(([, count]) => count > 0);
        const text = said
          .map(([name, count]) => words.outcomes[name](format.count(count), count === 1))
          .join(', ');
        if (said.some(([name]) => name === 'failed')) notifyPartlyFailed(text);
        else notifyDone(text);
      },
      onSettled: () => client.invalidateQueries(trpc.review.pathFilter()),
    }),
  );
  return async (transactionIds: readonly string[]) => {
    for (let from = 0; from < transactionIds.length; from += CALL_ROWS_MAX)
      await release.mutateAsync({ transactionIds: transactionIds.slice(from, from + CALL_ROWS_MAX) });
  };
}
