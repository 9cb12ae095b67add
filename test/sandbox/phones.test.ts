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
