import { afterAll, describe, expect, test } from 'vitest';
import { startWithMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal, expectWireHeaders } from './endpoints.ts';

const { service, merchant } = await startWithMerchant({
  whenOver: afterAll,
  env: { SERVICE_MBWAY_WINDOW_SECONDS: '240', SERVICE_MBWAY_GRACE_SECONDS: '30' },
});
const caller = callerOf(service, merchant);

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe.each(ENDPOINTS)('status through %s', (endpoint) => {
  const status = (input: Record<string, unknown>) => callOperation(endpoint, caller, 'status', input);
  const fresh = (transactionId: string, orderId: string) => ({
    transactionId,
    externalOrderId: orderId,
    status: 'pending',
    paymentMethod: null,
    amount: 19.99,
    currency: 'EUR',
    paidAt: null,
  });

  test('shows a new transaction with no method and no time of payment', async () => {
    const transactionId = await merchant.init({ orderId: 'NEW-1' });
    const answer = await status({ transactionId });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(fresh(transactionId, 'NEW-1'));
    expectWireHeaders(answer);
  });

  test('shows the reference only while the newest live attempt is one', async () => {
    const transactionId = await merchant.init({ orderId: 'BOTH-1' });
    const { body } = await merchant.post('/payments/multibanco', { transactionId });
    const { amount: _amount, ...mb } = body;
    const referred = { ...fresh(transactionId, 'BOTH-1'), paymentMethod: 'REFERENCE', mb };
    expect((await status({ transactionId })).body).toEqual(referred);

    await merchant.post('/payments/mbway', { transactionId, phoneNumber: '930000001' });
    expect((await status({ transactionId })).body).toEqual({
      ...fresh(transactionId, 'BOTH-1'),
      paymentMethod: 'MBWAY',
    });

    // The reference is the newest live attempt again as soon as the push is dead.
    await service.control('/mbway', { phoneNumber: '930000001', outcome: 'reject' });
    const after = await until(async () => {
      const answer = await status({ transactionId });
      return answer.body.paymentMethod === 'REFERENCE' ? answer.body : null;
    }, 'the push to be rejected');
    expect(after).toEqual(referred);
  });

  test('shows the method that paid and when, and no reference when the push paid', async () => {
    const began = Date.now();
    const transactionId = await merchant.init({ orderId: 'PAID-1' });
    await merchant.post('/payments/multibanco', { transactionId });
    await merchant.post('/payments/mbway', { transactionId, phoneNumber: '911000001' });
    await merchant.reaches(transactionId, 'paid');
    const { body } = await status({ transactionId });
    expect(body).toEqual({
      ...fresh(transactionId, 'PAID-1'),
      status: 'paid',
      paymentMethod: 'MBWAY',
      paidAt: expect.stringMatching(INSTANT),
    });
    // The bank's time has seconds only; it is never later than the recording.
    expect(Date.parse(body.paidAt)).toBeGreaterThan(began - 2000);
    expect(Date.parse(body.paidAt)).toBeLessThanOrEqual(Date.now());
  });

  test('shows the reference that was paid after a later push', async () => {
    const transactionId = await merchant.init({ orderId: 'PAID-2' });
    const { body } = await merchant.post('/payments/multibanco', { transactionId });
    const { amount: _amount, ...mb } = body;
    await merchant.post('/payments/mbway', { transactionId, phoneNumber: '930000002' });
    await service.control('/multibanco', { entity: mb.entity, reference: mb.reference });
    await merchant.reaches(transactionId, 'paid');
    expect((await status({ transactionId })).body).toEqual({
      ...fresh(transactionId, 'PAID-2'),
      status: 'paid',
      paymentMethod: 'REFERENCE',
      paidAt: expect.stringMatching(INSTANT),
      mb,
    });
  });

  test('shows the method of the attempt that failed, and no time of payment', async () => {
    const transactionId = await merchant.push('911000002', { orderId: 'FAILED-1' });
    await merchant.reaches(transactionId, 'failed');
    expect((await status({ transactionId })).body).toEqual({
      ...fresh(transactionId, 'FAILED-1'),
      status: 'failed',
      paymentMethod: 'MBWAY',
    });
  });

  test('shows the method of an attempt with an unknown outcome, but not of a refused one', async () => {
    const refused = await merchant.push('911000005');
    expect((await status({ transactionId: refused })).body.paymentMethod).toBeNull();

    const unknown = await merchant.init();
    await service.control('/faults', { mode: 'error500', times: 1 });
    await merchant.post('/payments/mbway', { transactionId: unknown, phoneNumber: '930000003' });
    expect((await status({ transactionId: unknown })).body.paymentMethod).toBe('MBWAY');
  });

  test('requires exactly one transactionId', async () => {
    const transactionId = await merchant.init();
    const faulty = [{}, { transactionId: '' }, { transactionId: ' ' }];
    const repeated = [
      { transactionId: [transactionId, 'tx_2'] },
      { transactionId: [transactionId, transactionId] },
    ];
    for (const input of [...faulty, ...repeated]) {
      expectRefusal(await status(input), 400, 'INVALID_FIELDS', ['transactionId']);
    }
    expect((await status({ transactionId, other: 'x' })).status).toBe(200);
  });
});

describe.each(ENDPOINTS)('methods through %s', (endpoint) => {
  test('lists MB WAY and the reference as active, the card as inactive with a reason', async () => {
    const answer = await callOperation(endpoint, caller, 'methods');
    expect(answer.status).toBe(200);
    const name = expect.stringMatching(/\S/);
    expect(answer.body).toEqual({
      methods: [
        { id: 'MBWAY', name, active: true },
        { id: 'REFERENCE', name, active: true },
        { id: 'CARD', name, active: false, reason: name },
      ],
    });
    expectWireHeaders(answer);
  });
});
