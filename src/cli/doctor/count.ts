import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { errorText, OperatorError } from '../../kernel/errors.ts';

const READ_TIMEOUT_MS = 8000;
/** A receiver may process an event after its response. */
const RISE_MS = 3000;
const POLL_MS = 100;
/** How long the number must stay the same, at least. */
const SETTLE_MS = 300;
const TEXT_LENGTH_MAX = 1000;

export type Counter = ReturnType<typeof counterAt>;

/** Reads the number of paid orders at `url`, which must return an integer, or JSON with a `count`. */
export function counterAt(url: string, limits = { riseMs: RISE_MS, settleMs: SETTLE_MS }) {
  const read = () => readCount(url);
  return {
    read,
    /**
     * Waits until the number has risen by `expected`, or for 3 s, and then twice as long again, at most 3 s: a receiver with a queue
     * may record a duplicate after the first payment. Resolves to the change since `before`.
     */
    async risen(before: number, expected: number) {
      const start = performance.now();
      const elapsedMs = () => performance.now() - start;
      while ((await read()) - before < expected && elapsedMs() < limits.riseMs) await wait(POLL_MS);
      await wait(Math.max(limits.settleMs, Math.min(2 * elapsedMs(), limits.riseMs)));
      return (await read()) - before;
    },
  };
}

async function readCount(url: string): Promise<number> {
  const text = await textAt(url);
  const number = /^\s*(?:(\d{1,15})|\{[^{}]*"count"\s*:\s*(\d{1,15})[^{}]*\})\s*$/.exec(text);
  const found = number?.[1] ?? number?.[2];
  if (found !== undefined) return Number(found);
  throw new OperatorError(
    `--count-url answers ${JSON.stringify(text.slice(0, 80))}; it must return the number of paid orders, as 3 or {"count": 3}`,
  );
}

async function textAt(url: string): Promise<string> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    const text = await body.text();
    if (statusCode === 200 && text.length <= TEXT_LENGTH_MAX) return text;
    throw new Error(`it answers ${statusCode}`);
  } catch (error) {
    throw new OperatorError(
      `cannot read --count-url ${url}: ${errorText(error)}; it must return the number of paid orders to a GET request without a signature`,
    );
  }
}
