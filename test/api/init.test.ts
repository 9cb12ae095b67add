import { afterAll, describe, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import {
  callerOf,
  callOperation,
  callRaw,
  ENDPOINTS,
  expectRefusal,
  expectWireHeaders,
  initThrough,
  item,
  order,
} from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
const merchant = await service.merchant();
const caller = callerOf(service, merchant);

/** An order's JSON with the amount written exactly so. */
function withAmount(text: string): string {
  return JSON.stringify(order({ amount: '@' })).replace('"@"', text);
}

describe.each(ENDPOINTS)('init through %s', (endpoint) => {
  const { init, accepts, refuses } = initThrough(endpoint, caller);

  test('answers the id, the amount and the currency, nothing else', async () => {
    const answer = await init({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      transactionId: expect.stringMatching(/^tx_\S+$/),
      amount: 19.99,
      currency: 'EUR',
    });
    expectWireHeaders(answer);
  });

  test('makes two transactions of two calls with one orderId', async () => {
    expect(await accepts({})).not.toBe(await accepts({}));
  });

  test.each([
    ['0.01', 0.01],
    ['0.1', 0.1],
    ['0.29', 0.29],
    ['1', 1],
    ['1.0', 1],
    ['1.10', 1.1],
    ['4.35', 4.35],
    ['1e2', 100],
    ['5E-2', 0.05],
    ['1001.15', 1001.15],
    ['99999.99', 99999.99],
  ])('accepts the amount %s to the cent', async (text, amount) => {
    const answer = await callRaw(endpoint, caller, 'init', withAmount(text));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.amount).toBe(amount);
    expect((await merchant.status(answer.body.transactionId)).amount).toBe(amount);
  });

  test.each([
    '0',
    '-0',
    '-1',
    '-0.01',
    '0.001',
    '0.009',
    '19.999',
    '0.30000000000000004',
    '1e-7',
    '99999.995',
    '99999.991',
    '100000',
    '1e400',
    '-1e400',
    '"12"',
    '"NaN"',
    '"19.99"',
    '""',
    '"  "',
    'true',
    'false',
    'null',
    '[7]',
    '[]',
    '{}',
    '{"value":1}',
  ])('refuses the amount %s', async (text) => {
    const answer = await callRaw(endpoint, caller, 'init', withAmount(text));
    expectRefusal(answer, 400, 'INVALID_FIELDS', ['amount']);
  });

  test('refuses a missing amount', () => refuses({ amount: undefined }, ['amount']));

  test.each([
    ['one character', 'A'],
    ['255 characters', 'x'.repeat(255)],
    ['255 characters beyond the basic plane', '\u{1F6D2}'.repeat(255)],
    ['punctuation, accents and spaces around', ' Nº 7/ção "a" <b> '],
  ])('keeps an orderId of %s as it came', async (_what, orderId) => {
    expect((await merchant.status(await accepts({ orderId }))).externalOrderId).toBe(orderId);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['blank', ' \t '],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters beyond the basic plane', '\u{1F6D2}'.repeat(256)],
    ['NUL', 'A\u0000B'],
    ['a line break', 'A\nB'],
    ['a tabulator', 'A\tB'],
    ['unit separator', 'A\u001fB'],
    ['delete', 'A\u007f'],
    ['a C1 control', 'A\u0085'],
    ['a number', 7],
    ['true', true],
    ['a list', ['A']],
    ['an object', {}],
  ])('refuses an orderId that is or has: %s', (_what, orderId) => refuses({ orderId }, ['orderId']));

  test.each([[undefined], [null], [''], ['   '], ['EUR']])(
    'takes the currency %j for EUR',
    async (currency) => {
      expect((await init({ currency })).body.currency).toBe('EUR');
    },
  );

  test.each([['eur'], ['USD'], ['EUR '], ['€'], [978], [true], [['EUR']], [{}]])(
    'refuses the currency %j',
    (currency) => refuses({ currency }, ['currency']),
  );

  test.each([
    ['shop.pt'],
    ['not an address'],
    ['//shop.pt'],
    ['ftp://shop.pt'],
    ['javascript:alert(1)'],
    ['https://'],
    ['mailto:ana@shop.pt'],
    ['https:shop.pt'],
    [`https://${'x.'.repeat(200)}shop.pt`],
    [7],
    [true],
    [['https://shop.pt']],
    [{}],
  ])('refuses the storeUrl %j as no http address', (storeUrl) => refuses({ storeUrl }, ['storeUrl']));

  test('names all members at fault at once, the header included', async () => {
    const faulty = {
      ...callerOf(service, merchant, { 'idempotency-key': 'x'.repeat(256) }),
    };
    const input = order({
      orderId: undefined,
      amount: '12',
      currency: 'USD',
      storeUrl: 'shop.pt',
      customer: { name: 7, email: 'ana', zip: true },
      customerName: undefined,
      shippingAddress: { line1: 1, address_line1: undefined },
      trackingParameters: { utm_source: [] },
      items: [item({ quantity: 0 }), 'x', item({ id: null, name: undefined, priceInCents: undefined })],
    });
    expectRefusal(await callOperation(endpoint, faulty, 'init', input), 400, 'INVALID_FIELDS', [
      'Idempotency-Key',
      'orderId',
      'amount',
      'currency',
      'storeUrl',
      'customer.name',
      'customer.email',
      'customer.zip',
      'shippingAddress.line1',
      'trackingParameters.utm_source',
      'items[0].quantity',
      'items[1]',
      'items[2].id',
      'items[2].name',
      'items[2].priceInCents',
    ]);
  });

  test('names every required member of an empty object', async () => {
    expectRefusal(await callOperation(endpoint, caller, 'init', {}), 400, 'INVALID_FIELDS', [
      'orderId',
      'amount',
    ]);
  });
});
