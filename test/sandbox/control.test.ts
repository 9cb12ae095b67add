import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { sandbox } from './support.ts';

test('a control call answers the newest open push of a phone, or the push that it names', async () => {
  const bank = await sandbox();
  const [first, second] = [
    (await bank.push('912345678')).body.RequestId,
    (await bank.push('912345678', { orderId: 'order-9' })).body.RequestId,
  ];
  await bank.push('966123456');
  const reject = { phoneNumber: '912345678', outcome: 'reject' };
  expect((await bank.post('/control/mbway', { ...reject, requestId: first })).body).toEqual({
    requestId: first,
  });
  expect((await bank.post('/control/mbway', reject)).body).toEqual({ requestId: second });
  const third = await bank.post('/control/mbway', reject);
  expect([third.status, third.body]).toEqual([404, { error: 'no open push for 912345678' }]);
  const foreign = { ...reject, phoneNumber: '966123456', requestId: first };
  expect((await bank.post('/control/mbway', foreign)).status).toBe(404);
});

test('invalid control input is 400 with the fault', async () => {
  const bank = await sandbox();
  const cases: [string, unknown, RegExp][] = [
    ['mbway', { outcome: 'accept' }, /phoneNumber/],
    ['mbway', { phoneNumber: 912345678, outcome: 'accept' }, /phoneNumber/],
    ['mbway', { phoneNumber: '912345678', outcome: 'maybe' }, /accept/],
    ['mbway', [], /JSON object/],
    ['multibanco', {}, /entity.*reference/],
    ['multibanco', { entity: '1199', reference: '123456789' }, /5 digits/],
    ['multibanco', { entity: '11990', reference: '123456789', amount: '5' }, /euros/],
    ['multibanco', { entity: '11990', reference: '123456789', amount: 0 }, /above 0/],
    ['multibanco', { entity: '11990', reference: '123456789', amount: 1.001 }, /two decimals/],
    ['faults', { mode: 'explode', times: 1 }, /refuse, error500, hang/],
    ['faults', { mode: 'refuse', times: -1 }, /0 or more/],
    ['faults', { mode: 'refuse', times: 10_001 }, /at most 10000/],
    ['faults', { mode: 'refuse', times: 1.5 }, /whole number/],
    ['faults', { mode: 'refuse' }, /whole number/],
  ];
  for (const [path, body, fault] of cases) {
    const answer = await bank.post(`/control/${path}`, body);
    expect(answer.status, JSON.stringify(body)).toBe(400);
    expect(answer.body.error).toMatch(fault);
  }
  const queries: [string, RegExp][] = [
    ['pushes?phoneNumber=12', /phoneNumber must be 9 digits/],
    ['pushes?phoneNumber=912345678&phoneNumber=912345679', /phoneNumber must be one/],
    ['mails?to=a@shop.pt&to=b@shop.pt', /to must be one/],
  ];
  for (const [path, fault] of queries) {
    const answer = await bank.call(`/control/${path}`);
    expect([answer.status, answer.body.error], path).toEqual([400, expect.stringMatching(fault)]);
  }
  const unknown = await bank.post('/control/multibanco', { entity: '11990', reference: '000 000 000' });
  expect(unknown.status).toBe(404);
});

test('pushes are listed newest first, at most a hundred, with the time of the bank', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  for (let i = 0; i < 101; i++) await bank.push('912345678', { orderId: `order-${i}`, description: `n${i}` });
  const pushes = await bank.pushes('?phoneNumber=');
  expect([pushes.length, pushes[99]?.description]).toEqual([100, 'n1']);
  expect(pushes[0]).toEqual({
    acquirer: 'ifthenpay',
    requestId: expect.stringMatching(/^[A-Za-z0-9+]{20}$/),
    phoneNumber: '912345678',
    amount: 12.5,
    description: 'n100',
    state: 'pending',
    createdAt: '2026-01-15T12:00:00.000Z',
  });
  const response = await fetch(`${bank.url}/control/pushes`);
  expect(response.headers.get('x-sandbox-now')).toBe(String(clock.now()));
});

test('a reference can be paid with another amount, and after its last day', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const made = (await bank.reference({ expiryDays: 0 })).body;
  await clock.advance(5 * 86_400_000);
  expect((await bank.payAtm(made, { amount: 44.99 })).status).toBe(200);
  const [row] = await bank.record();
  expect([Number(row?.amount), row?.paymentDate]).toEqual([44.99, '20-01-2026 12:00:00']);
});
