import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRows } from './database.ts';
import { startSink } from './delivery/sink.ts';
import { atRate } from './load.ts';
import { type ServerProcess, startProgram } from './process.ts';
import type { ConfirmedAt } from './programs/bank.ts';
import type { Arrivals } from './programs/sink.ts';
import { orderJson } from './requests.ts';
import { install, post } from './service.ts';

/** The sandbox's customer at this number accepts each push at once. */
const PHONE = '911000001';
const ARRIVE_MS_MAX = 60_000;

/** An installation with its bank and its merchant's endpoint. */
export type PaymentSite = Awaited<ReturnType<typeof openPaymentSite>>;

/** Creates an installation in a new folder; its service is not running. */
export async function openPaymentSite(folder: string) {
  mkdirSync(folder, { recursive: true });
  const bank = await startProgram<number>('programs/bank.ts', {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'bank/service.db')}`,
    SERVICE_SANDBOX_PORT: '0',
    SERVICE_LOG_LEVEL: 'warn',
  });
  const bankUrl = `http://127.0.0.1:${bank.hello}`;
  const sink = await startSink(folder);
  const installation = await install(folder, sink, {
    SERVICE_SANDBOX_URL: bankUrl,
    // The measurement covers callbacks only, not reads of the bank's payment list.
    SERVICE_RECONCILE_SECONDS: '3600',
  });
  const stop = async () => {
    await bank.stop();
    await sink.stop();
  };
  /** Returns the time of each confirmation by the bank's request id. */
  const confirmedAt = () => bank.ask<ConfirmedAt>('confirmed');
  return { installation, bankUrl, confirmedAt, sink, stop };
}

/**
 * Makes `count` MB WAY payments at a fixed rate and returns the sorted delays in milliseconds from the bank sending each
 * confirmation to its first byte at the merchant. Throws unless each payment is delivered exactly once.
 */
export async function confirmations(
  site: PaymentSite,
  { url }: ServerProcess,
  count: number,
  perSecond: number,
): Promise<Float64Array> {
  const { authorization, domain, webhookSecret, url: database } = site.installation;
  const ids = await atRate(perSecond, count, async (n) => {
    const order = orderJson(n, domain);
    const created = await post(`${url}/api/v1/payments/init`, order, { authorization });
    const { transactionId } = JSON.parse(created.text);
    const push = JSON.stringify({ transactionId, phoneNumber: PHONE });
    await post(`${url}/api/v1/payments/mbway`, push, { authorization });
    return String(transactionId);
  });
  await site.sink.waitFor(count, ARRIVE_MS_MAX);
  const arrivals = await site.sink.take(webhookSecret, count);
  const attempts = await readRows(database, 'select transaction_id, request_id from attempts');
  const requestIds = new Map(attempts.map((row) => [row.transaction_id, String(row.request_id)]));
  const confirmedAt = await site.confirmedAt();
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
