import { setTimeout as wait } from 'node:timers/promises';
import type { ListedReceipt } from '../../src/payments/show.ts';
import { REFUND_ROWS } from '../../src/sandbox/schema.ts';
import { Prng } from '../sim/prng.ts';
import type { RefundCall } from './call-log.ts';
import { ask, type LoadOptions } from './calls.ts';

const CALLERS = 3;
const PAUSE_MS = [20, 200] as const;
const PAGE = 200;
/** A refund takes at most this fraction of its receipt, so that the receipt could cover it twice. */
const PART_MAX = 1 / 4;
/** The share of refunds by a call to the bank; Multibanco payments are refunded by bank transfer, without a call. */
const BY_CALL = 0.85;
/** More than one, because payment callbacks use up some of the drops. */
const DROPPED_CALLBACKS = 3;

/**
 * Weights of the bank's responses. `hang` makes the refund, does not respond and may not notify, which keeps it `sent` the
 * longest.
 */
const ANSWERS = { true: 25, hang: 15, 'hang, no callback': 40, error500: 10, refuse: 5, insufficient: 5 };

/** Refusals that two concurrent refunds of a receipt may receive. */
const REFUSED = /wait for its outcome|at most|no money left/;

/** Runs operators who refund parts of receipts until they are stopped. */
export async function runRefunds(options: LoadOptions, isStopped: () => boolean): Promise<void> {
  const known: ListedReceipt[] = [];
  const rows = new Prng(`${options.seed} rows ${options.round}`).pick(REFUND_ROWS);
  void ask(`${options.sandboxUrl}/control/refund-rows`, { mode: rows });
  const callers = Array.from({ length: CALLERS }, async (_, index) => {
    const prng = new Prng(`${options.seed} refunds ${options.round}-${index}`);
    while (!isStopped()) {
      await wait(prng.int(...PAUSE_MS));
      await refundOne(options, prng, known);
    }
  });
  await Promise.all(callers);
}

async function refundOne(options: LoadOptions, prng: Prng, known: ListedReceipt[]): Promise<void> {
  const { operator, sandboxUrl, log, patient } = options;
  try {
    const after = known.at(-1)?.id;
    const from = after === undefined ? [] : ['--after', after];
    const page = await operator<ListedReceipt[]>(['receipt', 'list', '--limit', String(PAGE), ...from]);
    known.push(...page.filter(({ id }) => known.every((one) => one.id !== id)));
    if (known.length === 0) return;
    const byCall = known.filter(({ method }) => method === 'MBWAY');
    const { id, amount } = prng.pick(byCall.length > 0 && prng.chance(BY_CALL) ? byCall : known);
    const part = prng.int(1, Math.max(1, Math.floor(amount * 100 * PART_MAX))) / 100;
    await prepareAnswer(sandboxUrl, prng.weighted(ANSWERS));
    const command = ['refund', 'create', '--receipt', id, '--amount', String(part)];
    const calls = Array.from({ length: prng.chance(0.1) ? 2 : 1 }, () => operator<RefundCall>(command));
    for (const call of await Promise.allSettled(calls)) {
      if (call.status === 'fulfilled') log.refunds.push(call.value);
      else if (!REFUSED.test(String(call.reason))) throw call.reason;
    }
  } catch (error) {
    if (!patient) log.faults.push(`a refund ended with ${error}`);
  }
}

async function prepareAnswer(sandboxUrl: string, answer: keyof typeof ANSWERS): Promise<void> {
  if (answer === 'true') return;
  const [mode, callback] = answer.split(', ');
  const set = (name: string, times: number) => ask(`${sandboxUrl}/control/faults`, { mode: name, times });
  await set(`${mode}-refund`, 1);
  if (callback !== undefined) await set('drop-callback', DROPPED_CALLBACKS);
}
