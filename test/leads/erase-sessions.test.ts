import { expect, test } from 'vitest';
import { takeStep } from '../../src/checkout/step.ts';
import { eraseLead, viewErasure } from '../../src/erasure/erase-lead.ts';
import { stepErasure } from '../../src/erasure/step.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createSession, postForm } from '../checkout/support.ts';
import { engine } from '../support/database.ts';
import { startWithMerchant } from '../support/harness.ts';
import { race } from '../support/lock-waits.ts';
import { selectRow, selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';

const customer = { name: 'Brites Pombal', email: 'brites+loja@correio.pt', phone: '961 222 333' };

test('an erasure cuts the return addresses that name the person, and no others', async () => {
  const { service, deps, merchant } = await startWithMerchant();
  const named = [
    'https://shop.pt/thanks?order=7&email=brites%2Bloja%40correio.pt',
    'https://shop.pt/thanks?email=brites+loja@correio.pt',
    'https://shop.pt/thanks?name=Brites+Pombal&sale=100%',
    'https://shop.pt/brites%20pombal/thanks',
    'https://shop.pt/thanks#tel=%2B351961222333',
    'https://shop.pt/go?to=https%3A%2F%2Fshop.pt%2Fthanks%3Femail%3Dbrites%252Bloja%2540correio.pt',
    'https://shop.pt/go?to=%2Fthanks%3Fname%3DBrites%2BPombal',
  ];
  const other = 'https://shop.pt/thanks?order=7&by=Brito';
  for (const successUrl of named)
    await createSession(service, merchant, { customer, successUrl, cancelUrl: other });
  await createSession(service, merchant, { customer, successUrl: other, cancelUrl: named[0] });
  const [lead] = await selectRows(deps.db, 'leads');
  await eraseLead(deps, lead?.id as Id<'led'>);
  const urls = await selectRows(deps.db, 'checkout_sessions');
  expect(urls.pop()).toMatchObject({ success_url: other, cancel_url: 'https://shop.pt/' });
  expect(urls.map(({ success_url }) => success_url)).toEqual(named.map(() => 'https://shop.pt/'));
  expect(urls.map(({ cancel_url }) => cancel_url)).toEqual(named.map(() => other));
});

test('an erasure that waits for a payment is repeated daily, for what its person does in an open session', async () => {
  const { service, deps, merchant } = await startWithMerchant();
  await merchant.reference({ customer });
  const { body } = await createSession(service, merchant, { customer });
  const refused = async (count: number) => {
    await postForm(body.url, { method: 'MBWAY', phoneNumber: '911000002' });
    await until(
      async () => (await selectRows(deps.db, 'transactions', { status: 'failed' })).length === count,
    );
  };
  await refused(1);
  const [lead] = await selectRows(deps.db, 'leads');
  const leadId = lead?.id as Id<'led'>;
  expect(await eraseLead(deps, leadId)).toMatchObject({ state: 'waiting' });
  await refused(2);
  const clock = { ...deps.clock, now: () => Date.now() + DAY_MS };
  const key = { lead_id: leadId, merchant_id: merchant.merchantId };
  await stepErasure({ db: deps.db, clock }, key);
  while (await stepErasure({ db: deps.db, clock }, key));
  expect(await viewErasure(deps, leadId)).toMatchObject({ state: 'waiting', transactionsDone: 2 });
  for (const table of ['attempts', 'checkout_pushes'] as const)
    for (const row of await selectRows(deps.db, table)) expect(row.phone_number).toBeNull();
});

/** A checkout session of a customer without a lead; `push` pays or fails its next transaction with MB WAY. */
async function sessionWithoutLead() {
  const { service, deps, merchant } = await startWithMerchant();
  await merchant.pay({ customer });
  const nameless = { customer: { name: customer.name } };
  const { body } = await createSession(service, merchant, nameless);
  const push = async (phoneNumber: string, status: 'failed' | 'paid') => {
    await postForm(body.url, { method: 'MBWAY', phoneNumber });
    const id = (await selectRows(deps.db, 'transactions')).at(-1)?.id as Id<'tx'>;
    await merchant.reaches(id, status);
    return id;
  };
  return { deps, merchant, nameless, url: body.url as string, push };
}

test('a transaction without a lead is erased with the others of its checkout session, as one order', async () => {
  const { deps, merchant, nameless, push } = await sessionWithoutLead();
  const failed = await push('911000002', 'failed');
  const paid = await push('911000001', 'paid');
  const other = await merchant.pay(nameless);
  const erased = await eraseLead(deps, failed);
  expect(erased).toMatchObject({ state: 'done', transactionsDone: 2, transactionsLeft: 0 });
  for (const id of [failed, paid]) {
    const of = { transaction_id: id };
    const { customer, lead_id } = await selectRow(deps.db, 'transactions', { id });
    expect([customer, lead_id]).toEqual([null, erased.leadId]);
    expect(await selectRow(deps.db, 'attempts', of)).toMatchObject({ phone_number: null });
  }
  expect(await selectRow(deps.db, 'leads', { id: erased.leadId })).toMatchObject({
    ...{ orders_count: 1, asked_cents: 1999, paid_count: 1, paid_cents: 1999 },
  });
  expect(await selectRow(deps.db, 'transactions', { id: other })).toMatchObject({ lead_id: null });
});

test.runIf(engine === 'postgres')(
  'the next transaction of a session that a shopper makes during the erasure of its person is erased too',
  async () => {
    const { service, deps, merchant } = await startWithMerchant();
    const { body } = await createSession(service, merchant, { customer });
    const { id: first } = await selectRow(deps.db, 'transactions');
    await merchant.post('/payments/mbway', { transactionId: first, phoneNumber: '911000002' });
    await merchant.reaches(first, 'failed');
    const token = new URL(body.url).pathname.split('/').at(-1) ?? '';
    const { lead_id } = await selectRow(deps.db, 'transactions', { id: first });
    const step = { method: 'REFERENCE', phoneNumber: null, address: '127.0.0.1' };
    await race(
      deps,
      (by) => takeStep(by, token, step),
      (by) => eraseLead(by, lead_id as Id<'led'>),
    );
    const transactions = await selectRows(deps.db, 'transactions');
    expect(transactions).toHaveLength(2);
    for (const each of transactions) expect(each).toMatchObject({ customer: null, items: null });
  },
);

test.runIf(engine === 'postgres')(
  'the next transaction of a session without a lead that a shopper makes during its erasure is erased too',
  async () => {
    const { deps, url, push } = await sessionWithoutLead();
    const failed = await push('911000002', 'failed');
    const token = new URL(url).pathname.split('/').at(-1) ?? '';
    const step = { method: 'REFERENCE', phoneNumber: null, address: '127.0.0.1' };
    let leadId = '';
    await race(
      deps,
      (by) => takeStep(by, token, step),
      async (by) => {
        leadId = (await eraseLead(by, failed)).leadId;
      },
    );
    const transactions = await selectRows(deps.db, 'transactions', { lead_id: leadId });
    expect(transactions.map((each) => each.customer)).toEqual([null, null]);
  },
);

test.runIf(engine === 'postgres')('two erasures of a transaction at the same time are one', async () => {
  const { deps, push } = await sessionWithoutLead();
  const paid = await push('911000001', 'paid');
  const leads: string[] = [];
  const erase = async (by: typeof deps) => void leads.push((await eraseLead(by, paid)).leadId);
  await race(deps, erase, erase);
  expect(new Set(leads).size).toBe(1);
  expect(await selectRows(deps.db, 'lead_erasures')).toHaveLength(1);
});
