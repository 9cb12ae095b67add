import { Pool } from 'undici';
import { createPoster } from '../delivery/poster.ts';
import { atRate } from '../load.ts';
import { answerQuestions } from '../questions.ts';

/** The bare relay: reads each confirmation from the bank at BENCH_BANK and posts it to the merchant at once; stores nothing. */
const bank = new Pool(process.env.BENCH_BANK ?? '', { connections: 16 });
const post = createPoster();

async function relay(n: number): Promise<void> {
  const confirmation = await bank.request({ method: 'GET', path: `/bare/${n}` });
  const { Status } = (await confirmation.body.json()) as { Status: string };
  if (Status !== '000') throw new Error(`the bank answered ${Status}`);
  await post(n);
}

interface Batch {
  readonly first: number;
  readonly count: number;
  readonly perSecond: number;
}

answerQuestions(({ first, count, perSecond }: Batch) => atRate(perSecond, count, (n) => relay(first + n)));
