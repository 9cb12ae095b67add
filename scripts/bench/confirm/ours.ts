import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { request } from 'undici';
import { BenchError } from '../contest.ts';
import { host } from '../host.ts';
import { orderJson } from '../order.ts';
import type { Installation, RunningService } from '../service.ts';
import type { Sink } from '../sink.ts';
import type { WatchedBank } from './bank.ts';

/** This phone accepts every push as soon as its create was answered. */
const PHONE = '911000001';
const ARRIVE_MS_MAX = 60_000;

export interface ConfirmParts {
  readonly installation: Installation;
  readonly running: RunningService;
  readonly bank: WatchedBank;
  readonly sink: Sink;
}

/**
 * Has so many payments made and accepted, one after the other at this pace, over the whole way: push, bank, callback,
 * inquiry, books, outbox. Resolves to the milliseconds from each confirmation's leaving the bank to its first byte at the merchant,
 * sorted, without those that the machine's host disturbed. Throws BenchError when a payment is not told exactly once.
 */
export async function confirmations(
  { installation, running, bank, sink }: ConfirmParts,
  count: number,
  perSecond: number,
): Promise<Float64Array> {
  const post = poster(running.port, installation.apiKey);
  const beginAt = performance.now();
  const paying: Promise<string>[] = [];
  for (let i = 0; i < count; i++) {
    await wait(Math.max(0, beginAt + (i * 1000) / perSecond - performance.now()));
    paying.push(pay(post, i));
  }
  const ids = await Promise.all(paying);
  await sink.waitFor(count, ARRIVE_MS_MAX);
  const { transactionIds, at } = await sink.take(installation.webhookSecret);
  const told = new Map(transactionIds.map((id, i) => [id, at[i] ?? Number.NaN]));
  if (transactionIds.length !== count || ids.some((id) => !told.has(id)))
    throw new BenchError(
      `of ${count} payments ${told.size} were told, by ${transactionIds.length} deliveries`,
    );
  const confirmed = await bank.confirmed();
  const requests = requestIds(installation.file, ids);
  return host.durations(
    ids.map((id) => ({
      from: confirmed.get(requests.get(id) ?? '') ?? Number.NaN,
      until: told.get(id) ?? Number.NaN,
    })),
  );
}

type Post = (path: string, body: string) => Promise<Record<string, unknown>>;

function poster(port: number, apiKey: string): Post {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return async (path, body) => {
    const url = `http://127.0.0.1:${port}/api/v1/payments/${path}`;
    const answer = await request(url, { method: 'POST', headers, body });
    const said = (await answer.body.json()) as Record<string, unknown>;
    if (answer.statusCode !== 200)
      throw new BenchError(`${path} answered ${answer.statusCode}: ${JSON.stringify(said)}`);
    return said;
  };
}

async function pay(post: Post, n: number): Promise<string> {
  const { transactionId } = await post('init', orderJson(n));
  await post('mbway', JSON.stringify({ transactionId, phoneNumber: PHONE }));
  return String(transactionId);
}

/** The bank's request id of each transaction's push. */
function requestIds(file: string, ids: readonly string[]): Map<string, string> {
  const handle = new Sqlite(file, { readonly: true });
  try {
    const find = handle
      .prepare<[string], string>('select request_id from attempts where transaction_id = ?')
      .pluck();
    return new Map(ids.map((id) => [id, find.get(id) ?? '']));
  } finally {
    handle.close();
  }
}
