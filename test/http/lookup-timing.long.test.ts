import { hash, randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { rollKey } from '../../src/merchants/keys.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { BIG, rawCaller, requestBytes, TRANSACTION_OPERATIONS, UNKNOWN_ID } from '../api/tenancy-kit.ts';
import { startWithMerchant } from '../support/harness.ts';

/**
 * The time of an answer must not depend on what exists. Both kinds of call alternate, the fastest tenth is compared,
 * and a difference counts only when every round shows it in the same direction.
 */
const SAMPLES = 400;
const ROUNDS_MAX = 5;
const DIFFERENCE_MAX = 0.05;
const DIFFERENCE_MAX_MS = 0.015;
const PREFIX_LENGTH = 5;
const COUNTER_LENGTH = 9;

const { service, merchant: owner } = await startWithMerchant({ whenOver: afterAll });
const stranger = await service.merchant();
const send = rawCaller(service, afterAll);
const bearer = (key: string) => `Bearer ${key}`;

async function timeOf(bytes: Buffer): Promise<number> {
  const start = performance.now();
  await send(bytes);
  return performance.now() - start;
}

function fastestTenth(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN;
}

/** Alternates both calls; resolves after a round without a difference, or with one in the other direction. */
async function expectAlike(one: () => Buffer, other: () => Buffer): Promise<void> {
  const rounds: [number, number][] = [];
  while (rounds.length < ROUNDS_MAX) {
    const times: [number[], number[]] = [[], []];
    for (let index = 0; index < SAMPLES; index++) {
      const first = index % 2;
      for (const which of [first, 1 - first] as (0 | 1)[]) {
        times[which].push(await timeOf((which === 0 ? one : other)()));
      }
    }
    const [a, b] = [fastestTenth(times[0]), fastestTenth(times[1])];
    rounds.push([a, b]);
    const [firstA, firstB] = rounds[0] ?? [a, b];
    const alike = Math.abs(a - b) <= Math.max(DIFFERENCE_MAX * Math.max(a, b), DIFFERENCE_MAX_MS);
    if (alike || Math.sign(a - b) !== Math.sign(firstA - firstB)) return;
  }
  expect.unreachable(`the fastest tenth of ${SAMPLES} in ms, round by round: ${JSON.stringify(rounds)}`);
}

for (const endpoint of ENDPOINTS) {
  test.each(TRANSACTION_OPERATIONS)(
    `%s through ${endpoint} takes as long for another’s large transaction as for none`,
    async (operation) => {
      const foreign = await owner.init(BIG);
      const asking = (id: string) => requestBytes(endpoint, operation, id, bearer(stranger.apiKey));
      const [there, nowhere] = [asking(foreign), asking(UNKNOWN_ID)];
      await expectAlike(
        () => there,
        () => nowhere,
      );
    },
  );
}

test('a key whose hash begins like that of a real one, or that has ended, is refused as fast as any other', async () => {
  const ended = await service.merchant();
  await rollKey(service.app.deps, ended.merchantId, { graceHours: 0 });
  const asking = (key: string) => requestBytes('REST', 'status', UNKNOWN_ID, bearer(key));
  const random = Array.from({ length: 50 }, () => asking(randomKey()));
  let turn = 0;
  const anyKey = () => random[turn++ % random.length] ?? random[0] ?? Buffer.alloc(0);
  const [near, gone] = [asking(keyNear(owner.apiKey)), asking(ended.apiKey)];
  await expectAlike(() => near, anyKey);
  await expectAlike(() => gone, anyKey);
});

function randomKey(): string {
  return `sk_${randomBytes(32).toString('base64url')}`;
}

/** A key whose hash has its first digits in common with that of this one. */
function keyNear(apiKey: string): string {
  const wanted = hash('sha256', apiKey, 'hex').slice(0, PREFIX_LENGTH);
  const start = randomKey().slice(0, -COUNTER_LENGTH);
  for (let count = 0; ; count++) {
    const key = start + String(count).padStart(COUNTER_LENGTH, '0');
    if (hash('sha256', key, 'hex').startsWith(wanted)) return key;
  }
}
