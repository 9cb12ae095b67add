import { afterAll, describe, expect, test } from 'vitest';
import type { ReferenceOutcome } from '../../src/banks/port.ts';
import { createLink, listLinks } from '../../src/checkout/links.ts';
import { forgetUnsent } from '../../src/checkout/push-limits.ts';
import { takeStep } from '../../src/checkout/step.ts';
import { insertPush } from '../../src/checkout/store.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { ORDER, startService, startWithMerchant } from '../support/harness.ts';
import { freePort } from '../support/process.ts';
import { insertRows, selectRow, selectRows, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { NO_TERMS, postForm } from './support.ts';

const ADDRESS_PUSHES = 6;
const PHONE_PUSHES = 3;

const { service, merchant } = await startWithMerchant({
  whenOver: afterAll,
  env: {
    SERVICE_TRUST_PROXY: '1',
    SERVICE_ADDRESS_PUSHES_PER_HOUR: String(ADDRESS_PUSHES),
    SERVICE_PHONE_PUSHES_PER_HOUR: String(PHONE_PUSHES),
    // Pushes stay open, so that each push belongs to a different session.
    SERVICE_MBWAY_WINDOW_SECONDS: '240',
  },
});

let phones = 0;
/** A phone that waits for a manual answer. */
const newPhone = () => `9201${String(++phones).padStart(5, '0')}`;
const pushesOf = async (phoneNumber: string) =>
  ((await service.control(`/pushes?phoneNumber=${phoneNumber}`)).body as unknown[]).length;

async function newLink(): Promise<string> {
  const { merchantId } = merchant;
  const link = { merchantId, title: 'Bolo', ...NO_TERMS, amount: cents(500) };
  return (await createLink(service.app.deps, link)).url;
}

function post(url: string, fields: Record<string, string>, address: string): Promise<Response> {
  return postForm(url, fields, { origin: 'null', 'x-forwarded-for': address });
}

/** Uses a link, each time with a new token; resolves to the page that the shopper sees next. */
async function use(link: string, phoneNumber: string, address: string): Promise<string> {
  const posted = await post(link, { method: 'MBWAY', phoneNumber }, address);
  expect(posted.status).toBe(303);
  const shown = await fetch(new URL(posted.headers.get('location') ?? '', link));
  expect(shown.status).toBe(200);
  return await shown.text();
}

describe('pushes over many tokens', () => {
  test('of one client address are limited; Multibanco and other addresses go on', async () => {
    const link = await newLink();
    // The addresses of one IPv6 network are one client.
    const address = (at: number) => (at % 2 === 0 ? '2001:db8:1:2::1' : `2001:db8:1:2:ffff::${at}`);
    for (let at = 0; at < ADDRESS_PUSHES; at++) {
      const phoneNumber = newPhone();
      expect(await use(link, phoneNumber, address(at))).toContain('Confirmar o pagamento na app MB WAY');
      expect(await pushesOf(phoneNumber)).toBe(1);
    }
    const phoneNumber = newPhone();
    for (const at of [0, 1]) {
      expect(await use(link, phoneNumber, address(at))).toMatch(
        /demasiados pedidos MB WAY a partir desta rede\. Pode tentar novamente às \d\d:\d\d \(hora\sde\sLisboa\), ou já/,
      );
    }
    const { url } = await merchant.trpc.checkout.createSession.mutate({ ...ORDER, locale: 'en' });
    await post(url, { method: 'MBWAY', phoneNumber }, address(0));
    const page = async () => await (await fetch(url)).text();
    expect(await page()).toContain('from this network. Try again at');
    expect(await pushesOf(phoneNumber)).toBe(0);
    await post(url, { method: 'REFERENCE' }, address(0));
    expect(await page()).toContain('Entity');
    expect(await use(link, phoneNumber, '2001:db8:1:3::1')).toContain('Confirmar o pagamento');
  });

  test('at the same time from one address never exceed the limit', async () => {
    const link = await newLink();
    const phoneNumbers = Array.from({ length: ADDRESS_PUSHES + 4 }, newPhone);
    await Promise.all(phoneNumbers.map((phoneNumber) => use(link, phoneNumber, '192.0.2.7')));
    const sent = await Promise.all(phoneNumbers.map(pushesOf));
    expect(sent.reduce((sum, pushes) => sum + pushes, 0)).toBe(ADDRESS_PUSHES);
  });

  test('to one phone, however it is written, are limited from many addresses, with any link; those of the API do not count', async () => {
    const phoneNumber = newPhone();
    for (let pushes = 0; pushes < PHONE_PUSHES; pushes++) await merchant.push(phoneNumber);
    const spellings = [phoneNumber, `+351${phoneNumber}`, phoneNumber.replace(/(...)(...)/, '$1 $2 ')];
    const links = [await newLink(), await newLink()];
    for (let at = 0; at < PHONE_PUSHES + 3; at++) {
      const shown = await use(links[at % 2] ?? '', spellings[at % 3] ?? '', `198.51.100.${at}`);
      expect(shown).toContain(
        at < PHONE_PUSHES ? 'Confirmar o pagamento' : 'demasiados pedidos MB WAY. Pode',
      );
    }
    expect(await pushesOf(phoneNumber)).toBe(2 * PHONE_PUSHES);
  });

  test('to one phone that were sent while the clock was ahead do not count after it was set back', async () => {
    const phoneNumber = newPhone();
    const link = await newLink();
    const push = async (at: number) => await use(link, phoneNumber, `203.0.113.${at}`);
    for (let at = 0; at < PHONE_PUSHES; at++) expect(await push(at)).toContain('Confirmar o pagamento');
    await service.app.deps.db.unit((tx) =>
      tx
        .updateTable('checkout_pushes')
        .set((eb) => ({ created_at: eb('created_at', '+', 40 * DAY_MS) }))
        .where('phone_number', '=', phoneNumber)
        .execute(),
    );
    expect(await push(PHONE_PUSHES)).toContain('Confirmar o pagamento');
  });
});

test('pushes of one session are limited, and deleted once no limit counts them', async () => {
  const { sessionId, url } = await merchant.trpc.checkout.createSession.mutate(ORDER);
  const { db, clock } = service.app.deps;
  const session = { session_id: sessionId as Id<'cs'> };
  await db.unit(async (tx) => {
    for (const at of [1, 2, 3, 4, 5]) {
      const push = { ...session, attempt_id: `att_earlier${at}`, phone_number: newPhone() } as const;
      await insertPush(tx, { ...push, created_at: clock.now() });
    }
  });
  const phoneNumber = newPhone();
  const pushed = async () => {
    await post(url, { method: 'MBWAY', phoneNumber }, '203.0.113.200');
    return await pushesOf(phoneNumber);
  };
  expect(await pushed()).toBe(0);
  await updateRows(db, 'checkout_pushes', { created_at: clock.now() - HOUR_MS }, session);
  expect(await pushed()).toBe(1);
  expect(await selectRows(db, 'checkout_pushes', session)).toMatchObject([{ phone_number: phoneNumber }]);
});

test('pushes that reach no bank do not count', async () => {
  const cutOff = await startService({
    env: {
      SERVICE_IFTHENPAY_URL: `http://127.0.0.1:${await freePort()}`,
      SERVICE_PHONE_PUSHES_PER_HOUR: String(PHONE_PUSHES),
    },
  });
  const { trpc } = await cutOff.merchant();
  const { url } = await trpc.checkout.createSession.mutate({ ...ORDER, locale: 'en' });
  for (let sent = 0; sent <= PHONE_PUSHES; sent++) {
    await postForm(url, { method: 'MBWAY', phoneNumber: '912345678' }, { origin: 'null' });
    expect(await (await fetch(url)).text()).toContain('The bank did not accept the request');
  }
  expect(await selectRows(cutOff.app.deps.db, 'checkout_pushes')).toEqual([]);
});

test('a push that was sent by the fallback stays counted when a later one reaches no bank', async () => {
  const { sessionId, url } = await merchant.trpc.checkout.createSession.mutate(ORDER);
  const { db } = service.app.deps;
  const session = { session_id: sessionId as Id<'cs'> };
  const { id, merchant_id } = await selectRow(db, 'transactions', session);
  await post(url, { method: 'MBWAY', phoneNumber: newPhone() }, '192.0.2.77');
  const sent = await selectRow(db, 'attempts', { transaction_id: id });
  const unreachable = { ...sent, request_id: null, state: 'dead', end_reason: 'unreachable' } as const;
  const first = { ...unreachable, id: 'att_0', bank_order_id: 'BEFORE' } as const;
  const later = { ...unreachable, id: 'att_z', bank_order_id: 'AFTER' } as const;
  await updateRows(db, 'attempts', { state: 'dead', end_reason: 'refused' }, { id: sent.id });
  await insertRows(db, 'attempts', first, later);
  await updateRows(db, 'checkout_pushes', { attempt_id: first.id }, session);
  await db.unit(async (tx) => {
    const push = { ...session, attempt_id: later.id, phone_number: newPhone() };
    await insertPush(tx, { ...push, created_at: later.created_at });
    await forgetUnsent(tx, { id, merchant_id });
  });
  expect(await selectRows(db, 'checkout_pushes', session)).toMatchObject([{ attempt_id: first.id }]);
});

test('orders by payment links of one client address are limited, whatever the method; others go on', async () => {
  const link = await newLink();
  const ended = { client: 'links 2001:db8:7:6', count: 1, ends_at: 1 };
  await insertRows(service.app.deps.db, 'post_counts', ended);
  const start = (address: string) => post(link, { method: 'REFERENCE' }, address);
  const posted = await Promise.all(
    Array.from({ length: 4 * ADDRESS_PUSHES + 3 }, (_, at) => start(`2001:db8:7:7::${at}`)),
  );
  const places = posted.map(({ headers }) => headers.get('location') ?? '');
  const refused = places.filter((place) => place.endsWith('&problem=limit'));
  expect(refused).toHaveLength(3);
  expect(places.filter((place) => /^\/pay\/[\w-]{22}$/.test(place))).toHaveLength(4 * ADDRESS_PUSHES);
  const page = await fetch(new URL(refused[0] ?? '', link));
  expect(await page.text()).toContain('demasiados pagamentos a partir desta rede');
  expect((await start('2001:db8:7:8::1')).headers.get('location')).not.toContain('problem');
  const links = await listLinks(service.app.deps, { ...merchant, limit: 100, after: undefined });
  expect(links.find(({ url }) => url === link)?.uses).toBe(4 * ADDRESS_PUSHES + 1);
  expect(await selectRows(service.app.deps.db, 'post_counts', ended), 'ended counts are deleted').toEqual([]);
});

test('failed references are limited per order, even when they are requested concurrently', async () => {
  await service.control('/faults', { mode: 'error500', times: 5 });
  const { url, sessionId } = await merchant.trpc.checkout.createSession.mutate({ ...ORDER, locale: 'en' });
  const start = () => post(url, { method: 'REFERENCE' }, '192.0.2.8');
  await Promise.all(Array.from({ length: 9 }, start));
  await start();
  const { transactionId } = await merchant.trpc.checkout.session.query({ sessionId });
  const { db } = service.app.deps;
  const states = await selectRows(db, 'attempts', { transaction_id: transactionId });
  expect(states.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'dead'));
  expect(await (await fetch(url)).text()).toContain('The bank did not accept the request');
  // As if they had failed before the clock was set back by an hour.
  const ahead = { created_at: Date.now() + 3_600_000 };
  await updateRows(db, 'attempts', ahead, { transaction_id: transactionId });
  await start();
  expect(await (await fetch(url)).text()).toContain('Entity');
});

test('at most a hundred steps of a page run at a time', async () => {
  const { promise: outcome, resolve: respond } = Promise.withResolvers<ReferenceOutcome>();
  const bank = { ...service.app.deps.bank, createReference: () => outcome };
  const { url } = await merchant.trpc.checkout.createSession.mutate(ORDER);
  const token = url.slice(url.lastIndexOf('/') + 1);
  const step = { method: 'REFERENCE', phoneNumber: null, address: '192.0.2.9' };
  let complete = 0;
  const start = async () => {
    expect(await takeStep({ ...service.app.deps, bank }, token, step)).toBe(true);
    complete += 1;
  };
  const steps = Array.from({ length: 130 }, start);
  await until(() => complete === 30);
  respond({ kind: 'refused', reason: 'other', detail: 'refused' });
  await Promise.all(steps);
  const before = complete;
  await start();
  expect([before, complete]).toEqual([130, 131]);
});
