import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { GRACE_MS, happens, receiver, sandbox, WINDOW_MS } from './support.ts';

async function bench() {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const shop = await receiver();
  await bank.activate(shop.template);
  const state = async (requestId: unknown) => (await bank.status(requestId)).Status;
  return { clock, bank, shop, state };
}

test('…001 accepts immediately, …002 rejects and …003 never answers', async () => {
  const { clock, bank, shop, state } = await bench();
  const [one, two, three] = [
    (await bank.push('911000001')).body.RequestId,
    (await bank.push('911000002')).body.RequestId,
    (await bank.push('911000003')).body.RequestId,
  ];
  await until(async () => (await state(one)) === '000');
  await until(async () => (await state(two)) === '020');
  await happens(clock, () => shop.calls.length === 1);
  expect(shop.calls[0]?.get('requestId')).toBe(one);
  await clock.advance(WINDOW_MS * 10);
  expect(await state(three)).toBe('101');
  expect((await bank.record()).map((row) => row.requestId)).toEqual([one]);
});

test('…004 is accepted at its creation, then declined', async () => {
  const { clock, bank, state } = await bench();
  const made = (await bank.push('911000004')).body;
  expect([made.Status, await state(made.RequestId)]).toEqual(['000', '123']);
  await clock.advance(500);
  expect(await state(made.RequestId)).toBe('122');
  expect(await bank.record()).toEqual([]);
});

test('…005 is refused at its creation as unknown to MB WAY', async () => {
  const { bank } = await bench();
  const made = await bank.push('911000005');
  expect([made.status, made.body.Status, made.body.RequestId]).toEqual([200, '113', '']);
  expect(await bank.pushes()).toEqual([]);
});

test('…006 pays without a callback; …007 pays with three callbacks', async () => {
  const { clock, bank, shop, state } = await bench();
  const six = (await bank.push('911000006')).body.RequestId;
  await until(async () => (await state(six)) === '000');
  const seven = (await bank.push('911000007')).body.RequestId;
  await until(async () => (await state(seven)) === '000');
  await happens(clock, () => shop.calls.length === 3);
  await clock.advance(3_600_000);
  expect(shop.calls.map((call) => call.get('requestId'))).toEqual([seven, seven, seven]);
  expect((await bank.record()).map((row) => row.requestId)).toEqual([seven, six]);
});

test('…008 leaves the create call unanswered and accepts one second later', async () => {
  const { clock, bank } = await bench();
  const patience = new AbortController();
  let answered = false;
  const create = bank.push('911000008', {}, patience.signal).then(
    () => (answered = true),
    () => {},
  );
  const push = await until(async () => (await bank.pushes())[0]);
  await clock.advance(999);
  expect(await bank.record()).toEqual([]);
  await clock.advance(1);
  expect(await bank.record({ orderId: 'order-1' })).toMatchObject([{ requestId: push.requestId }]);
  patience.abort();
  await create;
  expect(answered).toBe(false);
});

test('…009 accepts one second after the window, …010 five seconds after window and grace', async () => {
  const { clock, bank, state } = await bench();
  const nine = (await bank.push('911000009')).body.RequestId;
  const ten = (await bank.push('911000010')).body.RequestId;
  await clock.advance(WINDOW_MS + 999);
  expect([await state(nine), await state(ten)]).toEqual(['101', '101']);
  await clock.advance(1);
  expect([await state(nine), await state(ten)]).toEqual(['000', '101']);
  await clock.advance(GRACE_MS + 3999);
  expect(await state(ten)).toBe('101');
  await clock.advance(1);
  expect(await state(ten)).toBe('000');
});

test('a test phone does not act on a push that was answered by hand', async () => {
  const { clock, bank, state } = await bench();
  const nine = (await bank.push('911000009')).body.RequestId;
  await bank.post('/control/mbway', { phoneNumber: '911000009', outcome: 'reject' });
  await clock.advance(WINDOW_MS * 2);
  expect(await state(nine)).toBe('020');
  expect(await bank.record()).toEqual([]);
});
