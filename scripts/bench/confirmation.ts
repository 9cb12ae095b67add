import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSink } from './delivery/sink.ts';
import { atRate } from './load.ts';
import { type ServerProcess, startProgram, startServer } from './process.ts';
import type { ConfirmedAt } from './programs/bank-proxy.ts';
import { orderJson } from './requests.ts';
import { install, MAIN, post, readRows } from './service.ts';

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
  { installation, running, bank, sink }: PaymentSite & { readonly running: ServerProcess },
  count: number,
  perSecond: number,
): Promise<Float64Array> {
  const ids = await atRate(perSecond, count, (n) => pay(running.port, installation.apiKey, n));
  await sink.waitFor(count, ARRIVE_MS_MAX);
  const { transactionIds, at } = await sink.take(installation.webhookSecret);
  const arrivedAt = new Map(transactionIds.map((id, i) => [id, at[i] ?? Number.NaN]));
  const lost = ids.filter((id) => !arrivedAt.has(id)).length;
  if (lost > 0 || transactionIds.length !== count)
    throw new Error(`${lost} of ${count} payments are lost, ${transactionIds.length} deliveries arrived`);
  const confirmedAt = await bank.confirmed();
  const attempts = readRows(installation.file, 'select transaction_id, request_id from attempts');
  const requestIds = new Map(attempts.map((row) => [row.transaction_id, String(row.request_id)]));
  const latencies = ids.map(
    (id) => (arrivedAt.get(id) ?? Number.NaN) - (confirmedAt.get(requestIds.get(id) ?? '') ?? Number.NaN),
  );
  return Float64Array.from(latencies).sort();
}

async function pay(port: number, apiKey: string, n: number): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/v1/payments`;
  const headers = { authorization: `Bearer ${apiKey}` };
  const { transactionId } = (await post(`${url}/init`, orderJson(n), headers)).json;
  await post(`${url}/mbway`, JSON.stringify({ transactionId, phoneNumber: PHONE }), headers);
  return transactionId;
}

/** The sandbox bank in its own process, behind a proxy that records when the bank confirmed each payment. */
export type RecordedBank = Awaited<ReturnType<typeof startRecordedBank>>;

/** Starts a bank with its storage in a new folder. */
async function startRecordedBank(folder: string) {
  mkdirSync(folder, { recursive: true });
  const sandbox = await startServer({
    args: [MAIN, 'sandbox'],
    env: {
      SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SERVICE_LOG_LEVEL: 'warn',
    },
    portSetting: 'SERVICE_SANDBOX_PORT',
    readyPath: '/',
    folder,
  });
  const sandboxUrl = `http://127.0.0.1:${sandbox.port}`;
  const proxy = await startProgram<number>('programs/bank-proxy.ts', { BENCH_SANDBOX: sandboxUrl });
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
