import { CONNECTIONS, createPoster } from '../delivery/poster.ts';
import type { Batch } from '../delivery/senders.ts';
import { answerQuestions } from '../questions.ts';

/** The peer `loop`: signs and posts deliveries over keep-alive connections, and stores nothing. */
const post = createPoster();

async function sendAll(first: number, count: number): Promise<void> {
  let next = first;
  const send = async () => {
    while (next < first + count) await post(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}

answerQuestions(({ ask, first, count }: Batch) => (ask === 'send' ? sendAll(first, count) : null));
