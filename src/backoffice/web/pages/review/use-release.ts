import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../lib/trpc.ts';
import { notifyFault } from '../../ui/notify.ts';
import type { Outcome } from './types.ts';

/** So few at a time that the bar moves, and that a person who leaves stops at a known place. */
const CALL_ROWS = 10;

export interface Release {
  /** Of each sale that was asked for since the list was read. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The sales of the newest release; empty before the first. */
  readonly asked: readonly string[];
  readonly running: boolean;
  start(transactionIds: readonly string[]): Promise<void>;
  forget(): void;
}

/** Releases many sales in portions, remembering what became of each. */
export function useRelease(): Release {
  const trpc = useTRPC();
  const client = useQueryClient();
  const release = useMutation(trpc.review.release.mutationOptions());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [running, setRunning] = useState(false);
  const write = (entries: readonly (readonly [string, Outcome])[]) =>
    setOutcomes((before) => new Map([...before, ...entries]));
  const portion = async (transactionIds: string[]) => {
    try {
      const results = await release.mutateAsync({ transactionIds });
      write(results.map(({ transactionId, outcome }) => [transactionId, outcome]));
    } catch (error) {
      notifyFault(error);
      write(transactionIds.map((id) => [id, 'failed']));
    }
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
        await portion(transactionIds.slice(from, from + CALL_ROWS));
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
