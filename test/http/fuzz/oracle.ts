import { expect } from 'vitest';
import { endpointOf, routableTarget } from '../../../src/http/paths.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../src/kernel/errors.ts';
import type { RawAnswer } from '../../support/raw-client.ts';
import type { RowAudit, RowChanges } from '../../support/row-audit.ts';
import type { Call } from './calls.ts';

const STATUSES = [200, 303, 400, 401, 403, 404, 429, 500, 502];
/** Refusals after a call to the bank, whose attempt is committed before. */
const AFTER_THE_BANK = ['BANK_UNAVAILABLE', 'BANK_OUTCOME_UNKNOWN', 'BANK_REFUSED', 'MBWAY_PHONE_REJECTED'];
/** Rows that the service writes in the background or to count calls. */
const BY_ITSELF = [
  ...['bank_hints update', 'bank_accounts update', 'events update'],
  ...['event_counters insert', 'event_counters update'],
  ...['post_counts insert', 'post_counts update', 'post_counts delete'],
];

/** Returns how the call ended: a code or 200. Throws when the answer or the changed rows are wrong. */
export async function judge(call: Call, answer: RawAnswer, audit: RowAudit): Promise<string> {
  const changes = Object.entries(await audit.changes()).filter(([kind]) => !BY_ITSELF.includes(kind));
  const ended = isPage(call.target) ? judgePage(call, answer) : judgeAnswer(call, answer);
  await judgeRows(call, answer, ended, Object.fromEntries(changes), audit);
  return ended;
}

/** A payment page answers people in HTML, except where the request is not HTTP, and never leads elsewhere. */
function judgePage(call: Call, answer: RawAnswer): string {
  const { status, headers } = answer;
  if (headers.get('content-type')?.startsWith('application/json')) return judgeAnswer(call, answer);
  expect([200, 303, 400, 404], String(answer.body)).toContain(status);
  if (status === 303)
    expect(headers.get('location')).toMatch(/^\/pay\/(l\/)?[\w-]{22}(\?lang=(pt|en)(&problem=amount)?)?$/);
  return `page ${status}`;
}

function judgeAnswer(call: Call, answer: RawAnswer): string {
  const { status, headers } = answer;
  expect(STATUSES).toContain(status);
  expect(status).not.toBe(500);
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  if (status === 200) {
    if (endpointOf(routableTarget(call.target)) !== 'other')
      expect(headers.get('cache-control')).toBe('no-store');
    return '200';
  }
  expect(headers.get('cache-control')).toBe('no-store');
  if (call.method === 'HEAD') return `${status} to HEAD`;
  if (isCallback(call.target) && status === 403) {
    expect(answer.body.length).toBe(0);
    return 'callback refused';
  }
  return judgeError(call, answer);
}

function judgeError(call: Call, { status, headers, body }: RawAnswer): string {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const parsed = JSON.parse(body.toString());
  const atTrpc = typeof parsed.error === 'object';
  const error = atTrpc ? parsed.error.data : parsed;
  if (atTrpc) {
    expect(endpointOf(routableTarget(call.target))).toBe('trpc');
    expect(Object.keys(parsed)).toEqual(['error']);
    expect(Object.keys(parsed.error)).toEqual(['message', 'code', 'data']);
    expect(parsed.error.message).toBe(error.error);
    expect(error.httpStatus).toBe(status);
  }
  const members = Object.keys(error).filter((name) => !(atTrpc && name === 'httpStatus'));
  expect(members).toEqual(['error', 'code', ...('fields' in error ? ['fields'] : []), 'requestId']);
  expect(ERROR_STATUS[error.code as ErrorCode]).toBe(status);
  expect(error.error).toMatch(/^\S.*[.>]$/s);
  expect(error.requestId).toBe(headers.get('x-request-id'));
  expect(headers.get('link')).toContain(`#error-${error.code}>; rel="help"`);
  if ('fields' in error) {
    expect(error.fields.length).toBeGreaterThan(0);
    expect(new Set(error.fields).size).toBe(error.fields.length);
    for (const field of error.fields) expect(field).toEqual(expect.stringMatching(/./));
  }
  if (status === 429) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  judgeRequestId(call, error);
  return error.code;
}

/** A valid id of the caller is returned, unless the request could not be parsed. */
function judgeRequestId(call: Call, error: { code: string; requestId: string }): void {
  const given = call.headers.filter(([name]) => name.toLowerCase() === 'x-request-id');
  if (given.length !== 1 || error.code === 'INVALID_BODY') return;
  const id = given[0]?.[1].trim() ?? '';
  if (/^[A-Za-z0-9._-]{1,128}$/.test(id)) expect(error.requestId).toBe(id);
  else expect(error.requestId).toMatch(/^req_/);
}

async function judgeRows(
  call: Call,
  answer: RawAnswer,
  ended: string,
  changes: RowChanges,
  audit: RowAudit,
): Promise<void> {
  if (answer.status === 303) {
    expect(changes, 'changes by a step of a page').toEqual(onlyOf(changes, OF_PAGE));
    return;
  }
  if (answer.status !== 200) {
    const attempted = AFTER_THE_BANK.includes(ended) ? Object.keys(changes) : [];
    expect(changes, 'changes after a refusal').toEqual(onlyOf(changes, attempted.filter(isOfAttempt)));
    return;
  }
  const created = created200(call, answer);
  if (created !== null && answer.headers.get('idempotency-replayed') !== 'true') {
    await judgeCreated(call, created, changes, audit);
  } else if (isPage(call.target)) {
    expect(changes, 'changes by a page').toEqual({});
  } else if (isCallback(call.target)) {
    expect(changes, 'changes by a callback').toEqual(onlyOf(changes, ['bank_hints insert']));
  } else {
    expect(changes, 'changes by a step or a reading').toEqual(
      onlyOf(changes, ['attempts insert', 'attempts update', ...METHOD_TOTALS]),
    );
    expect(changes['attempts insert'] ?? 0).toBeLessThanOrEqual(1);
    // Only an attempt that the bank accepts is counted.
    expect(countOf(changes, METHOD_TOTALS)).toBeLessThanOrEqual(changes['attempts insert'] ?? 0);
  }
}

function isOfAttempt(kind: string): boolean {
  return kind.startsWith('attempts ') || kind === 'transactions update' || METHOD_TOTALS.includes(kind);
}

const METHOD_TOTALS: readonly string[] = ['daily_method_totals insert', 'daily_method_totals update'];

function countOf(changes: RowChanges, kinds: readonly string[]): number {
  return kinds.reduce((sum, kind) => sum + (changes[kind] ?? 0), 0);
}

function onlyOf(changes: RowChanges, kinds: readonly string[]): RowChanges {
  return Object.fromEntries(Object.entries(changes).filter(([kind]) => kinds.includes(kind)));
}

/** A step starts an attempt; the first of a link makes a session. */
const OF_PAGE: readonly string[] = [
  ...['attempts insert', 'attempts update', 'transactions insert', 'transactions update'],
  ...[
    'checkout_sessions insert',
    'checkout_sessions update',
    'checkout_pushes insert',
    'payment_links update',
  ],
  ...['daily_totals insert', 'daily_totals update', ...METHOD_TOTALS],
];

/** The answer of an init, or of the creation of a session. */
type Created =
  | { transactionId: string; amount: number; currency: string }
  | { sessionId: string; url: string; status: string; expiresAt: string };

/** The answer of a call that creates; null for any other call. */
function created200(call: Call, { body }: RawAnswer): Created | null {
  if (isCallback(call.target) || isPage(call.target)) return null;
  if (call.method !== 'POST') return null;
  const parsed = JSON.parse(body.toString());
  const output = parsed.result?.data ?? parsed;
  if ('sessionId' in output) expect(Object.keys(output)).toEqual(['sessionId', 'url', 'status', 'expiresAt']);
  else if ('transactionId' in output)
    expect(Object.keys(output)).toEqual(['transactionId', 'amount', 'currency']);
  else return null;
  return output;
}

async function judgeCreated(
  call: Call,
  created: Created,
  changes: RowChanges,
  audit: RowAudit,
): Promise<void> {
  const {
    'leads insert': newLead = 0,
    'leads update': knownLead = 0,
    'idempotency insert': kept = 0,
    'daily_totals insert': newDay = 0,
    'daily_totals update': knownDay = 0,
    ...rest
  } = changes;
  const isSession = 'sessionId' in created;
  expect(rest, 'changes by a creation').toEqual({
    'transactions insert': 1,
    ...(isSession && { 'checkout_sessions insert': 1 }),
  });
  const column = isSession ? 'session_id' : 'id';
  const row = await audit.row(
    [`select id, order_id, amount_cents, status, items from transactions where ${column} = `, ''],
    isSession ? created.sessionId : created.transactionId,
  );
  await judgeLead(String(row?.id), newLead, knownLead, audit);
  expect(newDay + knownDay).toBe(1);
  expect(kept).toBe(call.headers.some(([name]) => name === 'Idempotency-Key') ? 1 : 0);
  const sent = JSON.parse(call.body?.toString().replace(/^\uFEFF/, '') ?? '{}');
  if (!isSession) expect([created.amount, created.currency]).toEqual([sent.amount, 'EUR']);
  expect(row).toMatchObject({ order_id: sent.orderId, status: 'pending' });
  expect(Number(row?.amount_cents) / 100).toBe(sent.amount);
  const items = JSON.parse(String(row?.items ?? '[]'));
  expect(items).toHaveLength(Array.isArray(sent.items) ? sent.items.length : 0);
  for (const item of items) {
    expect(Object.keys(item)).toEqual(['id', 'name', 'quantity', 'priceInCents']);
    expect([item.quantity, item.priceInCents].every(Number.isSafeInteger)).toBe(true);
  }
}

/** Each order creates one lead, or adds itself to an existing one. */
async function judgeLead(
  transactionId: string,
  inserts: number,
  updates: number,
  audit: RowAudit,
): Promise<void> {
  const lead = await audit.row(
    [
      `select orders_count, asked_cents, count(*) as orders, sum(amount_cents) as cents
     from leads join transactions on transactions.lead_id = leads.id
     where leads.id = (select lead_id from transactions where id = `,
      ') group by leads.id',
    ],
    transactionId,
  );
  const [orders, cents] = [lead?.orders, lead?.cents].map((sum) => sum && Number(sum));
  const isNew = orders === 1;
  expect([lead?.orders_count, lead?.asked_cents]).toEqual([orders, cents]);
  expect(inserts).toBe(isNew ? 1 : 0);
  // The second sets what the lead is searched by, when that has changed.
  expect(lead === undefined || isNew ? [0] : [1, 2]).toContain(updates);
}

function isPage(target: string): boolean {
  return /^\/pay\//.test(routableTarget(target));
}

function isCallback(target: string): boolean {
  return /^\/callbacks\/(?:ifthenpay|eupago)(\?|$)/.test(routableTarget(target));
}
