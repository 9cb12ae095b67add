import type { Settings } from '../config.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { type Answer, type BankHttp, NoConnection, type Question } from './exchange.ts';
import { isObject, textIn } from './json.ts';
import { BankUnavailable, type NoAnswer } from './port.ts';

export type AdapterDeps = Pick<Deps, 'clock' | 'metrics' | 'log'> & {
  settings: Pick<Settings, 'bankTimeoutMs' | 'ifthenpayRefundPath'>;
};

export type BankCalls = ReturnType<typeof createCalls>;

/** The two ways of calling an acquirer; both are counted with their outcome. */
export function createCalls(deps: AdapterDeps, http: BankHttp) {
  return {
    /** Sends a create or a refund once. Resolves to its outcome, which is unknown when the bank may have received the request. */
    async create<T extends { kind: string }>(
      operation: string,
      question: Question,
      read: (answer: Answer) => T,
    ): Promise<T | NoAnswer> {
      const startedAt = deps.clock.now();
      const outcome = await http.once(question).then(read, noAnswer);
      deps.metrics.bankCall(operation, outcome.kind, (deps.clock.now() - startedAt) / 1000);
      return outcome;
    },
    /** Sends a request that may be repeated. Throws BankUnavailable without a readable answer. */
    async ask<T>(operation: string, question: Question, read: (answer: Answer) => T): Promise<T> {
      const startedAt = deps.clock.now();
      let outcome = 'unavailable';
      try {
        const value = read(await http.ask(question));
        outcome = 'ok';
        return value;
      } catch (error) {
        if (error instanceof BankUnavailable) throw error;
        throw new BankUnavailable(`${operation}: ${errorText(error)}`, { cause: error });
      } finally {
        deps.metrics.bankCall(operation, outcome, (deps.clock.now() - startedAt) / 1000);
      }
    },
  };
}

function noAnswer(error: unknown): NoAnswer {
  return { kind: error instanceof NoConnection ? 'unreachable' : 'unknown', detail: errorText(error) };
}

const REPORTED_ROWS_MAX = 1000;

/**
 * Logs, once per row, a payment in the bank's record that could not be read, with what the operator needs to find it.
 * Reconciliation reads the same row many times.
 */
export function createUnreadableLog(
  deps: Pick<Deps, 'log' | 'metrics'>,
  shownMembers: readonly string[],
): (accountId: string, row: unknown) => void {
  const reported = new Set<string>();
  return (accountId, row) => {
    const key = `${accountId} ${JSON.stringify(row)}`;
    if (reported.has(key)) return;
    if (reported.size >= REPORTED_ROWS_MAX) reported.clear();
    reported.add(key);
    deps.metrics.bankCall('list-row', 'unknown', 0);
    deps.log.error(
      { accountId, row: shown(row, shownMembers) },
      "a payment in the bank's list has no readable amount and was not recorded; look it up at the bank",
    );
  };
}

function shown(row: unknown, members: readonly string[]): Record<string, string | null> | string {
  if (!isObject(row)) return typeof row;
  return Object.fromEntries(members.map((name) => [name, textIn(row, name)?.slice(0, 64) ?? null]));
}
