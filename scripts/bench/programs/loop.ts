import { createPoster } from '../delivery/poster.ts';
import type { Batch } from '../delivery/senders.ts';
import { answerQuestions } from '../questions.ts';

/** The peer `loop`: signs and posts deliveries over BENCH_CONNECTIONS keep-alive connections and stores nothing. */
const connections = Number(process.env.BENCH_CONNECTIONS);
const post = createPoster(connections);

async function sendAll(first: number, count: number): Promise<void> {
  let next = first;
  const send = async () => {
    while (next < first + count) await post(next++);
  };
  await Promise.all(Array.from({ length: connections }, send));
}

answerQuestions(({ ask, first, count }: Batch) => (ask === 'send' ? sendAll(first, count) : null));
