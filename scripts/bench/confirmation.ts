import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRows } from './database.ts';
import { startSink } from './delivery/sink.ts';
import { atRate } from './load.ts';
import { type ServerProcess, startProgram, startServer } from './process.ts';
import type { ConfirmedAt } from './programs/bank-proxy.ts';
import type { Arrivals } from './programs/sink.ts';
import { orderJson } from './requests.ts';
import { install, MAIN, post } from './service.ts';

/** The sandbox's customer at this number accepts each push at once. */
const PHONE = '911000001';
const ARRIVE_MS_MAX = 60_000;

/** An installation with its bank and its merchant's endpoint. */
export type PaymentSite = Awaited<ReturnType<typeof openPaymentSite>>;

/** Creates an installation in a new folder; its service is not running. */
export async function openPaymentSite(folder: string) {
  const bank = await startRecordedBank(join(folder, 'bank'));
  const sink = await startSink(folder);
  const installation = await install(folder, sink, {
    SERVICE_SANDBOX_URL: bank.url,
    // The measurement covers callbacks only, not reads of the bank's payment list.
    SERVICE_RECONCILE_SECONDS: '3600',
  });
  const stop = async () => {
    await bank.stop();
    await sink.stop();
  };
  return { installation, bank, sink, stop };
}

/**
 * Makes `count` MB WAY payments at a fixed rate and returns the sorted delays in milliseconds from the bank sending each
 * confirmation to its first byte at the merchant. Throws unless each payment is delivered exactly once.
 */
export async function confirmations(
  { installation, bank, sink }: PaymentSite,
  { url }: ServerProcess,
  count: number,
  perSecond: number,
): Promise<Float64Array> {
  const { authorization, domain, webhookSecret } = installation;
  const ids = await atRate(perSecond, count, async (n) => {
    const order = orderJson(n, domain);
    const created = await post(`${url}/api/v1/payments/init`, order, { authorization });
    const { transactionId } = JSON.parse(created.text);
    const push = JSON.stringify({ transactionId, phoneNumber: PHONE });
    await post(`${url}/api/v1/payments/mbway`, push, { authorization });
    return String(transactionId);
  });
  await sink.waitFor(count, ARRIVE_MS_MAX);
  const arrivals = await sink.take(webhookSecret, count);
  const attempts = await readRows(installation.url, 'select transaction_id, request_id from attempts');
  const requestIds = new Map(attempts.map((row) => [row.transaction_id, String(row.request_id)]));
  const confirmedAt = await bank.confirmed();
  return delays(ids, arrivals, (id) => confirmedAt.get(requestIds.get(id) ?? ''));
}

/** Returns the sorted delays from the confirmation of each payment to its arrival; NaN for a payment that did not arrive. */
export function delays(
  transactionIds: readonly string[],
  arrivals: Arrivals,
  confirmedAt: (transactionId: string) => number | undefined,
): Float64Array {
  const arrivedAt = new Map(arrivals.transactionIds.map((id, i) => [id, arrivals.at[i]]));
  const ms = transactionIds.map((id) => (arrivedAt.get(id) ?? Number.NaN) - (confirmedAt(id) ?? Number.NaN));
  return Float64Array.from(ms).sort();
}

/** Starts the sandbox bank in its own process, behind a proxy that records when the bank confirmed each payment. */
async function startRecordedBank(folder: string) {
  mkdirSync(folder, { recursive: true });
  const env = { SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`, SERVICE_LOG_LEVEL: 'warn' };
  const listener = { portSetting: 'SERVICE_SANDBOX_PORT', readyPath: '/' };
  const sandbox = await startServer(folder, [MAIN, 'sandbox'], env, listener);
  const proxy = await startProgram<number>('programs/bank-proxy.ts', { BENCH_SANDBOX: sandbox.url });
  return {
    url: `http://127.0.0.1:${proxy.hello}`,
    /** Returns the time of each confirmation by the bank's request id. */
    confirmed: () => proxy.ask<ConfirmedAt>('confirmed'),
    async stop() {
      await proxy.stop();
      await sandbox.stop();
    },
  };
}
