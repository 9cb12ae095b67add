import { Pool } from 'undici';
import { nthDelivery, signedHeaders } from '../delivery/request.ts';
import type { Batch } from '../delivery/senders.ts';
import { atRate } from '../load.ts';
import { answerQuestions } from '../questions.ts';

/**
 * The peers that store nothing. `loop` signs deliveries and posts them to the sink over keep-alive connections. `bare` does so at a
 * fixed rate, and reads a confirmation from the bank at BENCH_BANK before each.
 */
const { BENCH_URL = '', BENCH_CA = '', BENCH_SECRET = '', BENCH_BANK = BENCH_URL } = process.env;
/** More connections make the peer `loop` slower. */
const CONNECTIONS = 32;

const { origin, pathname } = new URL(BENCH_URL);
const sink = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, connect: { ca: BENCH_CA } });
const bank = new Pool(new URL(BENCH_BANK).origin, { connections: 16 });

async function post(n: number): Promise<void> {
  const delivery = nthDelivery(n);
  const headers = signedHeaders(delivery, BENCH_SECRET);
  const answer = await sink.request({ method: 'POST', path: pathname, headers, body: delivery.body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`);
}

async function relay(n: number): Promise<void> {
  const confirmation = await bank.request({ method: 'GET', path: `/bare/${nthDelivery(n).transactionId}` });
  const { Status } = (await confirmation.body.json()) as { Status: string };
  if (Status !== '000') throw new Error(`the bank answered ${Status}`);
  await post(n);
}

async function sendAll(first: number, count: number): Promise<void> {
  let next = first;
  const send = async () => {
    while (next < first + count) await post(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}

answerQuestions(async ({ ask, first, count, perSecond }: Batch) => {
  if (ask === 'fill') return;
  if (perSecond === undefined) await sendAll(first, count);
  else await atRate(perSecond, count, (n) => relay(first + n));
});
