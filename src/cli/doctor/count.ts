import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { errorText, OperatorError } from '../../kernel/errors.ts';

const READ_TIMEOUT_MS = 8000;
/** Receivers may book after their answer: so long a number may take to rise. */
const RISE_MS = 3000;
const LOOK_MS = 100;
/** So long a number must stay as it is to count as what it will be. */
const SETTLE_MS = 300;
const TEXT_LENGTH_MAX = 1000;

/** How many orders the receiver has taken as paid, as its own address says. */
export interface Counter {
  read(): Promise<number>;
  /** By how much the number has risen since `before`, once it has risen by `wanted` and stays, or has had its time. */
  risen(before: number, wanted: number): Promise<number>;
}

/** Reads `url`, which answers a whole number, or JSON with one under `count`. Throws OperatorError when it does not. */
export function counterAt(url: string, limits = { riseMs: RISE_MS, settleMs: SETTLE_MS }): Counter {
  const read = async () => {
    const text = await textAt(url);
    const number = /^\s*(?:(\d{1,15})|\{[^{}]*"count"\s*:\s*(\d{1,15})[^{}]*\})\s*$/.exec(text);
    const found = number?.[1] ?? number?.[2];
    if (found !== undefined) return Number(found);
    throw new OperatorError(
      `--count-url answers ${JSON.stringify(text.slice(0, 80))}; it must answer a whole number, or {"count": 3}: how many orders are paid`,
    );
  };
  return {
    read,
    async risen(before, wanted) {
      const end = performance.now() + limits.riseMs;
      let rise = (await read()) - before;
      while (rise < wanted && performance.now() < end) {
        await wait(LOOK_MS);
        rise = (await read()) - before;
      }
      await wait(limits.settleMs);
      return (await read()) - before;
    },
  };
}

async function textAt(url: string): Promise<string> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    const text = await body.text();
    if (statusCode === 200 && text.length <= TEXT_LENGTH_MAX) return text;
    throw new Error(`it answers ${statusCode}`);
  } catch (error) {
    throw new OperatorError(`--count-url ${url} cannot be read: ${errorText(error)}`);
  }
}
