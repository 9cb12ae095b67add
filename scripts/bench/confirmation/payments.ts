import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { startSink } from '../delivery/sink.ts';
import type { ServerProcess } from '../process.ts';
import { orderJson } from '../requests.ts';
import { install, readRows } from '../service.ts';
import { BenchError } from '../types.ts';
import { startRecordedBank } from './bank.ts';

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
 * confirmation to its first byte at the merchant. Throws BenchError unless each payment is delivered exactly once.
 */
export async function confirmations(
  { installation, running, bank, sink }: PaymentSite & { readonly running: ServerProcess },
  count: number,
  perSecond: number,
): Promise<Float64Array> {
  const startedAt = performance.now();
  const payments: Promise<string>[] = [];
  for (let i = 0; i < count; i++) {
    await wait(Math.max(0, startedAt + (i * 1000) / perSecond - performance.now()));
    payments.push(pay(running.port, installation.apiKey, i));
  }
  const ids = await Promise.all(payments);
  await sink.waitFor(count, ARRIVE_MS_MAX);
  const { transactionIds, at } = await sink.take(installation.webhookSecret);
  const arrivedAt = new Map(transactionIds.map((id, i) => [id, at[i] ?? Number.NaN]));
  const lost = ids.filter((id) => !arrivedAt.has(id)).length;
  if (lost > 0 || transactionIds.length !== count)
    throw new BenchError(
      `${lost} of ${count} payments are lost, ${transactionIds.length} deliveries arrived`,
    );
  const confirmedAt = await bank.confirmed();
  const attempts = readRows(installation.file, 'select transaction_id, request_id from attempts');
  const requestIds = new Map(attempts.map((row) => [row.transaction_id, String(row.request_id)]));
  const latencies = ids.map(
    (id) => (arrivedAt.get(id) ?? Number.NaN) - (confirmedAt.get(requestIds.get(id) ?? '') ?? Number.NaN),
  );
  return Float64Array.from(latencies).sort();
}

async function pay(port: number, apiKey: string, n: number): Promise<string> {
  const post = async (step: string, body: string) => {
    const answer = await request(`http://127.0.0.1:${port}/api/v1/payments/${step}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
    });
    const json = (await answer.body.json()) as Record<string, unknown>;
    if (answer.statusCode !== 200)
      throw new BenchError(`${step} answered ${answer.statusCode}: ${JSON.stringify(json)}`);
    return json;
  };
  const { transactionId } = await post('init', orderJson(n));
  await post('mbway', JSON.stringify({ transactionId, phoneNumber: PHONE }));
  return String(transactionId);
}
