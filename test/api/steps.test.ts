import { afterAll, describe, expect, test } from 'vitest';
import { startWithMerchant } from '../support/harness.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal } from './endpoints.ts';

// With the real window no push lapses during the tests.
const { service, merchant } = await startWithMerchant({
  whenOver: afterAll,
  env: { SERVICE_MBWAY_WINDOW_SECONDS: '240', SERVICE_MBWAY_GRACE_SECONDS: '30' },
});
const caller = callerOf(service, merchant);

let phones = 920_000_000;
/** A phone that no other test uses. */
const newPhone = () => String(phones++);

async function pushesOf(phoneNumber: string): Promise<{ description: string }[]> {
  return (await service.control(`/pushes?phoneNumber=${phoneNumber}`)).body;
}

describe.each(ENDPOINTS)('mbway through %s', (endpoint) => {
  const mbway = (transactionId: unknown, phoneNumber: unknown) =>
    callOperation(endpoint, caller, 'mbway', { transactionId, phoneNumber });

  test('sends one push with a message that names the 4 minutes', async () => {
    const phone = newPhone();
    const answer = await mbway(await merchant.init({ amount: 4.35 }), phone);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: expect.stringMatching(/\b4 minutes\b/) });
    expect(await pushesOf(phone)).toMatchObject([{ phoneNumber: phone, amount: 4.35 }]);
  });

  test('refuses phone numbers that are not nine digits with a leading 9', async () => {
    const transactionId = await merchant.init();
    const digits = ['812345678', '91234567', '9123456789', '+351912345678', '351#912345678', '912 345 678'];
    for (const phone of [...digits, ' 912345678', '912345678\n', '91234567a', '9１2345678', '٩١٢٣٤٥٦٧٨']) {
      expectRefusal(await mbway(transactionId, phone), 400, 'INVALID_FIELDS', ['phoneNumber']);
    }
  });

  test('names a missing or faulty transactionId and phoneNumber', async () => {
    const transactionId = await merchant.init();
    for (const faulty of [undefined, null, '', ' ', 7, true, ['tx_1'], {}]) {
      expectRefusal(await mbway(transactionId, faulty), 400, 'INVALID_FIELDS', ['phoneNumber']);
      expectRefusal(await mbway(faulty, newPhone()), 400, 'INVALID_FIELDS', ['transactionId']);
      expectRefusal(await mbway(faulty, faulty), 400, 'INVALID_FIELDS', ['transactionId', 'phoneNumber']);
    }
  });

  test('refuses amounts above the limit of the method and sends no push', async () => {
    const phone = newPhone();
    expect((await mbway(await merchant.init({ amount: 5000 }), phone)).status).toBe(200);
    const refused = newPhone();
    const answer = await mbway(await merchant.init({ amount: 5000.01 }), refused);
    expectRefusal(answer, 400, 'AMOUNT_ABOVE_METHOD_LIMIT');
    expect(await pushesOf(refused)).toEqual([]);
  });

  test('answers the same number again without a second push, and another number with MBWAY_PUSH_OPEN', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    const transactionId = await merchant.init();
    const first = await mbway(transactionId, phone);
    const second = await mbway(transactionId, phone);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expectRefusal(await mbway(transactionId, other), 400, 'MBWAY_PUSH_OPEN');
    expect(await pushesOf(phone)).toHaveLength(1);
    expect(await pushesOf(other)).toEqual([]);
  });

  test('makes one push of two calls that arrive at once', async () => {
    const phone = newPhone();
    const transactionId = await merchant.init();
    const answers = await Promise.all([mbway(transactionId, phone), mbway(transactionId, phone)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await pushesOf(phone)).toHaveLength(1);
  });

  test('makes one push when two numbers arrive at once', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    const transactionId = await merchant.init();
    const answers = await Promise.all([mbway(transactionId, phone), mbway(transactionId, other)]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    for (const answer of refused) expectRefusal(answer, 400, 'MBWAY_PUSH_OPEN');
    expect([...(await pushesOf(phone)), ...(await pushesOf(other))]).toHaveLength(1);
  });

  test('lets two transactions push to one number', async () => {
    const phone = newPhone();
    expect((await mbway(await merchant.init(), phone)).status).toBe(200);
    expect((await mbway(await merchant.init(), phone)).status).toBe(200);
    expect(await pushesOf(phone)).toHaveLength(2);
  });

  test('shows the shopper the name, a space and the orderId, cut to 50 characters', async () => {
    const seller = await service.merchant({ name: 'Loja do Zé' });
    const push = async (orderId: string) => {
      const phone = newPhone();
      const input = { transactionId: await seller.init({ orderId }), phoneNumber: phone };
      expect((await callOperation(endpoint, callerOf(service, seller), 'mbway', input)).status).toBe(200);
      return (await pushesOf(phone))[0]?.description;
    };
    expect(await push('Nº 7')).toBe('Loja do Zé Nº 7');
    expect(await push('x'.repeat(39))).toBe(`Loja do Zé ${'x'.repeat(39)}`);
    expect(await push('x'.repeat(255))).toBe(`Loja do Zé ${'x'.repeat(39)}`);
    expect(await push('\u{1F6D2}'.repeat(60))).toBe(`Loja do Zé ${'\u{1F6D2}'.repeat(39)}`);
  });

  test('shows the shopper no bidirectional controls and no zero-width characters', async () => {
    const codes = [
      ...[0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
      ...[0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff],
    ];
    const hidden = String.fromCodePoint(...codes);
    const seller = await service.merchant({ name: `Loja${hidden} do Zé` });
    const phone = newPhone();
    const input = {
      transactionId: await seller.init({ orderId: `${hidden}N${hidden}º 7` }),
      phoneNumber: phone,
    };
    expect((await callOperation(endpoint, callerOf(service, seller), 'mbway', input)).status).toBe(200);
    expect((await pushesOf(phone))[0]?.description).toBe('Loja do Zé Nº 7');
    expect((await seller.status(input.transactionId)).externalOrderId).toBe(`${hidden}N${hidden}º 7`);
  });

  test('reports a phone unknown to MB WAY; the transaction stays pending', async () => {
    const transactionId = await merchant.init();
    const answer = await mbway(transactionId, '911000005');
    expectRefusal(answer, 400, 'MBWAY_PHONE_REJECTED', ['phoneNumber']);
    expect((await merchant.status(transactionId)).status).toBe('pending');
    expect((await mbway(transactionId, newPhone())).status).toBe(200);
  });

  test('refuses every number while the outcome of a push is unknown', async () => {
    const phone = newPhone();
    const transactionId = await merchant.init();
    await service.control('/faults', { mode: 'error500', times: 1 });
    expectRefusal(await mbway(transactionId, phone), 502, 'BANK_OUTCOME_UNKNOWN');
    expectRefusal(await mbway(transactionId, phone), 400, 'MBWAY_PUSH_OPEN');
    expectRefusal(await mbway(transactionId, newPhone()), 400, 'MBWAY_PUSH_OPEN');
  });
});

describe.each(ENDPOINTS)('multibanco through %s', (endpoint) => {
  const multibanco = (transactionId: unknown) =>
    callOperation(endpoint, caller, 'multibanco', { transactionId });

  test('returns an entity, a reference, the amount and the end of the bank day', async () => {
    const answer = await multibanco(await merchant.init({ amount: 99_999.99 }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      entity: expect.stringMatching(/^\d{5}$/),
      reference: expect.stringMatching(/^\d{9}$/),
      amount: 99_999.99,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:59:59\.000Z$/),
    });
    const lisbon = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Lisbon',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const [day, time] = lisbon.format(new Date(answer.body.expiresAt)).split(' ');
    expect(time).toBe('23:59:59');
    const days = [3, 4].map((ahead) => lisbon.format(Date.now() + (ahead - 0.5) * 86_400_000).split(' ')[0]);
    expect([...days, lisbon.format(Date.now() + 3 * 86_400_000).split(' ')[0]]).toContain(day);
  });

  test.each([[undefined], [null], [''], [7], [true], [['tx_1']], [{}]])(
    'refuses the transactionId %j',
    async (id) => expectRefusal(await multibanco(id), 400, 'INVALID_FIELDS', ['transactionId']),
  );

  test('returns the same live reference to repeated and concurrent calls', async () => {
    const transactionId = await merchant.init();
    const together = await Promise.all([multibanco(transactionId), multibanco(transactionId)]);
    const again = await multibanco(transactionId);
    expect(together.map(({ status }) => status)).toEqual([200, 200]);
    for (const answer of together) expect(answer.body).toEqual(again.body);
  });

  test('returns a new reference for each transaction', async () => {
    const [one, two] = [await multibanco(await merchant.init()), await multibanco(await merchant.init())];
    expect(one.body.reference).not.toBe(two.body.reference);
  });
});

describe.each(ENDPOINTS)('either step through %s', (endpoint) => {
  const OPERATIONS = ['mbway', 'multibanco'] as const;

  test.each(OPERATIONS)('%s is refused after the transaction is paid or failed', async (operation) => {
    for (const [phoneNumber, status] of [
      ['911000001', 'paid'],
      ['911000002', 'failed'],
    ] as const) {
      const transactionId = await merchant.push(phoneNumber);
      await merchant.reaches(transactionId, status);
      const input = { transactionId, phoneNumber: newPhone() };
      expectRefusal(await callOperation(endpoint, caller, operation, input), 400, 'TRANSACTION_NOT_PENDING');
    }
  });

  test('follows the other while the transaction is pending; either can then be paid', async () => {
    for (const payBy of OPERATIONS) {
      const transactionId = await merchant.init();
      const phoneNumber = newPhone();
      const reference = await callOperation(endpoint, caller, 'multibanco', { transactionId });
      expect((await callOperation(endpoint, caller, 'mbway', { transactionId, phoneNumber })).status).toBe(
        200,
      );
      const again = await callOperation(endpoint, caller, 'multibanco', { transactionId });
      expect(again.body).toEqual(reference.body);
      const { entity, reference: number } = reference.body;
      if (payBy === 'mbway') await service.control('/mbway', { phoneNumber, outcome: 'accept' });
      else await service.control('/multibanco', { entity, reference: number });
      const paid = await merchant.reaches(transactionId, 'paid');
      expect(paid.paymentMethod).toBe(payBy === 'mbway' ? 'MBWAY' : 'REFERENCE');
    }
  });
});
