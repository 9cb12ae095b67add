import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { nthDelivery, signedHeaders } from '../delivery/request.ts';
import { answerQuestions } from '../questions.ts';

/**
 * The bare relay: reads each confirmation from the bank and posts it to the merchant at once; stores nothing. Takes BENCH_BANK,
 * BENCH_URL, BENCH_CA and BENCH_SECRET.
 */
const { BENCH_BANK = '', BENCH_URL = '', BENCH_CA = '', BENCH_SECRET = '' } = process.env;
const { origin, pathname } = new URL(BENCH_URL);
const bank = new Pool(BENCH_BANK, { connections: 16 });
const merchant = new Pool(origin, { connections: 32, connect: { ca: BENCH_CA } });

async function relay(n: number): Promise<void> {
  const confirmation = await bank.request({ method: 'GET', path: `/bare/${n}` });
  const { Status } = (await confirmation.body.json()) as { Status: string };
  if (Status !== '000') throw new Error(`the bank answered ${Status}`);
  const delivery = nthDelivery(n);
  const headers = signedHeaders(delivery, BENCH_SECRET);
  const answer = await merchant.request({ method: 'POST', path: pathname, headers, body: delivery.body });
  await answer.body.dump();
}

interface Batch {
  readonly first: number;
  readonly count: number;
  readonly perSecond: number;
}

async function relayAll({ first, count, perSecond }: Batch): Promise<void> {
  const startedAt = performance.now();
  const relayed: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    await wait(Math.max(0, startedAt + (i * 1000) / perSecond - performance.now()));
    relayed.push(relay(first + i));
  }
  await Promise.all(relayed);
}

answerQuestions(relayAll);
