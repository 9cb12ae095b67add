import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/database.ts';
import { startService } from '../../support/harness.ts';
import type { RawAnswer } from '../../support/raw-client.ts';
import { auditRows } from '../../support/row-audit.ts';
import type { Call } from './calls.ts';
import { judge } from './oracle.ts';
import { fuzz } from './run.ts';

test('no call, however odd, gets a 500, an answer out of shape, or changes a row that it was refused', async () => {
  const tally = await fuzz(250);
  expect(tally.get('200')).toBeGreaterThan(20);
}, 60_000);

const CALL: Call = {
  method: 'POST',
  target: '/api/v1/payments/init',
  headers: [],
  body: Buffer.from('{}'),
  bytes: Buffer.alloc(0),
  incomplete: false,
};
const REFUSAL = { error: 'The body is no order.', code: 'INVALID_BODY', requestId: 'req_1' };

function answer(status: number, body: object, headers: Record<string, string> = {}): RawAnswer {
  const sound = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': 'req_1',
    ...('code' in body && { link: `</docs/reference#error-${body.code}>; rel="help"` }),
  };
  const all = new Map(Object.entries({ ...sound, ...headers }));
  return { status, head: '', headers: all, body: Buffer.from(JSON.stringify(body)) };
}

test('the judge of such calls knows a wrong answer, and a row that changed behind a refusal', async () => {
  const folder = temporaryFolder();
  const service = await startService({ folder });
  const merchant = await service.merchant();
  const transactionId = await merchant.init();
  const audit = auditRows(join(folder, 'service.db'));
  onTestFinished(() => audit.close());
  const judged = (given: RawAnswer) => judge(CALL, given, audit);

  expect(judged(answer(400, REFUSAL))).toBe('INVALID_BODY');
  for (const wrong of [
    answer(500, { ...REFUSAL, code: 'INTERNAL_ERROR' }),
    answer(413, REFUSAL),
    answer(404, REFUSAL),
    answer(400, { ...REFUSAL, detail: 'more' }),
    answer(400, { ...REFUSAL, code: 'SOMETHING' }),
    answer(400, { ...REFUSAL, requestId: 'req_2' }),
    answer(400, { code: 'INVALID_BODY', requestId: 'req_1' }),
    answer(400, { error: 'x.', code: 'INVALID_FIELDS', fields: [], requestId: 'req_1' }),
    answer(400, REFUSAL, { 'cache-control': 'private' }),
    answer(400, REFUSAL, { link: '</docs/reference#error-OTHER>; rel="help"' }),
    answer(400, REFUSAL, { 'access-control-allow-origin': '*' }),
    answer(429, { ...REFUSAL, code: 'RATE_LIMITED' }),
    // An init that made nothing.
    answer(200, { transactionId, amount: 19.99, currency: 'EUR' }),
  ]) {
    expect(() => judged(wrong), JSON.stringify([wrong.status, String(wrong.body)])).toThrow();
  }

  expect((await merchant.get('/payments/methods')).status).toBe(200);
  expect(judged(answer(400, REFUSAL))).toBe('INVALID_BODY');
  await merchant.init();
  expect(() => judged(answer(400, REFUSAL))).toThrow('changes after a refusal');
  expect(judged(answer(400, REFUSAL))).toBe('INVALID_BODY');
});
