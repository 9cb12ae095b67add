import { request } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from '../../src/kernel/money.ts';
import { callbackUrl } from '../../src/sandbox/callbacks.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startService } from '../support/harness.ts';
import { BO_KEY, happens, MB_KEY, MBWAY_KEY, receiver, sandbox } from './support.ts';

test('a payment calls the registered URL with its values', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const shop = await receiver();
  const mbway = await bank.activate(shop.template);
  expect([mbway.status, mbway.text.startsWith('OK:')]).toEqual([200, true]);
  await bank.activate(shop.template, { entidade: 'MB', subentidade: MB_KEY });
  const requestId = await bank.paidPush();
  await happens(clock, () => shop.calls.length === 1);
  expect(Object.fromEntries(shop.calls[0] ?? [])).toEqual({
    key: 'anti phishing&key',
    orderId: 'order-1',
    amount: '12.50',
    requestId,
    entity: 'MBWAY',
    reference: 'order-1',
    payment_datetime: '15-01-2026 12:00:00',
    status: 'PAGO',
  });
  const made = (await bank.reference()).body;
  await bank.payAtm(made);
  await happens(clock, () => shop.calls.length === 2);
  expect(Object.fromEntries(shop.calls[1] ?? [])).toMatchObject({
    requestId: made.RequestId,
    entity: String(made.Entity),
    reference: made.Reference,
  });
  expect(bank.log.join('\n')).not.toContain('anti');
});

test('placeholder values survive URL encoding', () => {
  const names = {
    ANTI_PHISHING_KEY: 'key',
    CHAVE_ANTI_PHISHING: 'key',
    ORDER_ID: 'order',
    ID: 'order',
    REFERENCIA: 'order',
    REQUEST_ID: 'request',
    ID_TRANSACAO: 'request',
    REFERENCE: 'reference',
  } as const;
  const query = Object.keys(names).map((name) => `${name}=[${name}]`);
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(text, text, text, text, (key, order, request, reference) => {
      const activation = {
        backoffice_key: '1111-2222-3333-4444',
        entity: 'MBWAY',
        sub_entity: MB_KEY,
        anti_phishing_key: key,
        url: `https://shop.pt/cb?${query.join('&')}&rest=[AMOUNT][VALOR][FEE][ESTADO][TERMINAL][PAYMENT_METHOD][ENTIDADE][DATA_HORA_PAGAMENTO]&other=[UNKNOWN]`,
        activated_at: 0,
      };
      const payment = {
        id: 1,
        entity: 'MBWAY',
        sub_entity: MB_KEY,
        acquirer: 'ifthenpay' as const,
        reference,
        order_id: order,
        request_id: request,
        amount_cents: cents(1250),
        refunded_cents: cents(0),
        paid_at: Date.UTC(2026, 0, 15, 12),
        paid_local: '2026-01-15 12:00:00',
      };
      const values = { key, order, request, reference };
      const sent = new URL(callbackUrl(activation, payment, 'true')).searchParams;
      for (const [name, value] of Object.entries(names)) expect(sent.get(name)).toBe(values[value]);
      expect(sent.get('rest')).toBe('12.5012.500.14PAGOMBWAYMBWAYMBWAY15-01-2026 12:00:00');
      expect(sent.get('other')).toBe('[UNKNOWN]');
    }),
  );
});

test('an accepted callback is not repeated', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const shop = await receiver();
  shop.state.status = 503;
  await bank.activate(shop.template);
  await bank.paidPush();
  await happens(clock, () => bank.log.some((line) => line.includes('attempt 1: 503')));
  shop.state.status = 200;
  await clock.advance(1000);
  await happens(clock, () => bank.log.some((line) => line.includes('attempt 2: 200')));
  await clock.advance(86_400_000);
  expect(shop.calls.length).toBe(2);
});

test('an invalid activation is answered 200 without OK and changes nothing', async () => {
  const bank = await sandbox();
  const faulty = [
    { chave: 'x' },
    { entidade: 'VISA' },
    { subentidade: 'x' },
    { apKey: '' },
    { urlCb: 'ftp://shop.pt/' },
    { urlCb: `https://shop.pt/${'x'.repeat(300)}` },
  ];
  for (const more of faulty) {
    const answer = await bank.activate('https://shop.pt/cb', more);
    expect([answer.status, answer.text.startsWith('ERROR:')]).toEqual([200, true]);
  }
  await bank.paidPush();
  expect(await bank.record({ boKey: '9999-9999-9999-9999' })).toHaveLength(1);
});

test('the sandbox answers only its own hosts', async () => {
  const bank = await sandbox();
  const { port } = new URL(bank.url);
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/control/pushes', headers: { host } };
      request(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
  for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:8081', 'sandbox.example']) {
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  }
  for (const host of ['attacker.example', 'localhost.attacker.example', '127.0.0.1.attacker.example:8081']) {
    expect([host, await statusFor(host)]).toEqual([host, 403]);
  }
});

test('the sandbox of a service calls back the service alone', async () => {
  const { sandboxUrl } = await startService({ env: { SERVICE_PUBLIC_URL: 'https://pay.example/sub' } });
  const activate = async (urlCb: string) => {
    const response = await fetch(`${sandboxUrl}/api/endpoint/callback/activation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chave: BO_KEY, entidade: 'MBWAY', subentidade: MBWAY_KEY, apKey: 'x', urlCb }),
    });
    return (await response.text()).slice(0, 3);
  };
  const path = '/callbacks/ifthenpay?key=[ANTI_PHISHING_KEY]';
  expect(await activate(`https://pay.example/sub${path}`)).toBe('OK:');
  expect(await activate(`http://127.0.0.1:18080${path}`)).toBe('OK:');
  for (const other of [
    `https://attacker.example${path}`,
    `https://pay.example${path}`,
    'http://127.0.0.1:18080/control/faults',
    `http://127.0.0.1.attacker.example${path}`,
    `http://localhost@attacker.example${path}`,
    `http://169.254.169.254${path}`,
  ]) {
    expect([other, await activate(other)]).toEqual([other, 'ERR']);
  }
});
