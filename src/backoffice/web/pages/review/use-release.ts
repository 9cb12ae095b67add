import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isGivenUp } from '../../lib/faults.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { notifyFault } from '../../ui/notify.ts';
import type { Outcome } from './types.ts';

/** Small batches keep the progress bar moving and bound the work after the user leaves. */
const CALL_ROWS = 10;

export interface Release {
  /** Results by transaction since the list was loaded. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The sales of the latest release. */
  readonly asked: readonly string[];
  readonly running: boolean;
  start(transactionIds: readonly string[]): Promise<void>;
  forget(): void;
}

/** Releases sales in batches and records each result. */
export function useRelease(): Release {
  const trpc = useTRPC();
  const client = useQueryClient();
  const release = useMutation(trpc.review.release.mutationOptions());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [running, setRunning] = useState(false);
  const write = (entries: readonly (readonly [string, Outcome])[]) =>
    setOutcomes((before) => new Map([...before, ...entries]));
  /** Resolves to false when the user cancelled. */
  const portion = async (transactionIds: string[]): Promise<boolean> => {
    try {
      const results = await release.mutateAsync({ transactionIds });
      write(results.map(({ transactionId, outcome }) => [transactionId, outcome]));
    } catch (error) {
      if (isGivenUp(error)) return false;
      notifyFault(error);
      write(transactionIds.map((id) => [id, 'failed']));
    }
    return true;
  };
  return {
    outcomes,
    asked,
    running,
    async start(transactionIds) {
      setRunning(true);
      setAsked(transactionIds);
      write(transactionIds.map((id) => [id, 'waiting']));
      for (let from = 0; from < transactionIds.length; from += CALL_ROWS) {
        if (await portion(transactionIds.slice(from, from + CALL_ROWS))) continue;
        setAsked(transactionIds.slice(0, from));
        setOutcomes((before) => new Map([...before].filter(([, outcome]) => outcome !== 'waiting')));
        break;
      }
      setRunning(false);
      await client.invalidateQueries({ queryKey: trpc.review.totals.queryKey() });
    },
    forget() {
      setAsked([]);
      setOutcomes(new Map());
    },
  };
}
