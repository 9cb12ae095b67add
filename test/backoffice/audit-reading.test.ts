import { afterAll, expect, test } from 'vitest';
import { recordAudit } from '../../src/audit/store.ts';
import { sandboxCredentials } from '../../src/banks/accounts.ts';
import { setRoute } from '../../src/banks/routes.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { AuditAction } from '../../src/db/tables/audit.ts';
import { COMMAND_LINE } from '../../src/kernel/actor.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { lisbonDay } from '../../src/kernel/lisbon.ts';
import { addDomain } from '../../src/merchants/domains.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { startService } from '../support/harness.ts';
import { insertRows, selectRow, updateRows } from '../support/rows.ts';
import { allRows, shopWithOwner, signedIn } from './support.ts';

/** Moves only when a test advances it. */
let now = Date.UTC(2026, 5, 1, 12);
const service = await startService({ whenOver: afterAll, clock: { ...systemClock, now: () => now } });

test('an operator pages through all entries by any filter, an owner through their own', async () => {
  const [one, two] = [await service.merchant(), await service.merchant()];
  const operator = await signedIn(service, { role: 'operator' });
  const owner = await signedIn(service, { role: 'owner', merchantId: one.merchantId });
  now += 60_000;
  const since = now;
  const by = (userId: `usr_${string}`, name: string) => ({
    ...service.app.deps,
    actor: { userId, name, address: '192.0.2.1' },
  });
  await addDomain(by(owner.userId, owner.email), one.merchantId, 'one.pt');
  await addDomain(by(operator.userId, operator.email), one.merchantId, 'two.pt');
  await addDomain(by(operator.userId, operator.email), two.merchantId, 'three.pt');

  const targets = async (input: object) =>
    (await operator.query('audit.list', { merchantId: null, ...input })).value.rows.map(
      ({ target }: { target: string }) => target,
    );
  expect(await targets({ since })).toEqual(['three.pt', 'two.pt', 'one.pt']);
  expect(await targets({ since: since + 1 })).toEqual([]);
  expect(await targets({ since, userId: operator.userId })).toEqual(['three.pt', 'two.pt']);
  expect(await targets({ since, ofMerchant: one.merchantId })).toEqual(['two.pt', 'one.pt']);
  expect(await targets({ since, action: 'domain.added', limit: 1 })).toEqual(['three.pt']);
  const pages = await allRows(
    async (cursor) =>
      (await operator.query('audit.list', { merchantId: null, since, limit: 2, cursor })).value,
  );
  expect(pages).toMatchObject([{ target: 'three.pt' }, { target: 'two.pt' }, { target: 'one.pt' }]);

  // The filters of operators have no effect: by a person, an owner could find which operator acted.
  const others = { userId: operator.userId, ofMerchant: two.merchantId };
  const input = { merchantId: one.merchantId, since, ...others };
  const own = (await owner.query('audit.list', input)).value.rows;
  expect(own).toMatchObject([
    // The operator's name and address are hidden.
    { target: 'two.pt', actor: 'platform', userId: null, address: null },
    { target: 'one.pt', actor: owner.email, address: '192.0.2.1', action: 'domain.added', at: now },
  ]);
});

test('an owner reads no address of a person who has left the team', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const gone = await signedIn(service, { role: 'owner', merchantId });
  await gone.mutate('keys.create', { merchantId, name: 'Theirs' });
  const created = async () =>
    (await owner.query('audit.list', { merchantId, action: 'key.created' })).value.rows;
  expect(await created()).toMatchObject([{ actor: gone.email, address: '127.0.0.1' }]);
  await owner.mutate('team.remove', { merchantId, userId: gone.userId });
  expect(await created()).toMatchObject([{ actor: gone.email, address: null }]);
});

test('an owner gets full pages without reviews, held money and bank accounts', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  const operator = await signedIn(service, { role: 'operator' });
  const by = { userId: operator.userId, name: operator.email, address: '192.0.2.1' };
  const deps = { ...service.app.deps, actor: by };
  const id = (await merchant.init()) as `tx_${string}`;
  const { db, ids, clock } = service.app.deps;
  const receipt = async (under: 0 | 1) => {
    const { id: account_id } = await selectRow(db, 'bank_accounts');
    const identity = ids('rcp');
    const of = { merchant_id: merchantId, transaction_id: id, account_id };
    await insertRows(db, 'receipts', { ...of, id: identity, identity, under });
    return identity;
  };
  const [short, full] = [await receipt(1), await receipt(0)];
  const write = (action: AuditAction, target: string) =>
    db.unit((tx) => recordAudit(tx, deps, { action, merchantId, target }));
  await setMerchant(deps, merchantId, { refunds: false });
  await write('receipt.noted', short);
  await write('receipt.noted', full);
  await setMerchant(deps, merchantId, { hold: true });
  for (const hidden of ['transaction.released', 'bank.changed', 'bank.routed'] as const)
    await write(hidden, id);
  await addDomain({ ...deps, actor: COMMAND_LINE }, merchantId, 'review.pt');

  const held = (value: 0 | 1) => updateRows(db, 'transactions', { held: value }, { id });
  await held(1);
  const read = async (input: object) => (await owner.query('audit.list', { merchantId, ...input })).value;
  const { rows } = await read({ since: now });
  const own = (lines: { action: string; target: string }[]) =>
    lines.map(({ action, target }) => [action, target]);
  const known = [
    ['domain.added', 'review.pt'],
    ['receipt.noted', short],
    ['merchant.changed', merchantId],
  ];
  expect(own(rows.slice(0, 3))).toEqual(known);
  expect(new Set(rows.slice(0, 3).map(({ actor }: { actor: string }) => actor))).toEqual(
    new Set(['platform']),
  );
  expect(JSON.stringify(rows)).not.toContain(operator.userId);
  const first = await read({ since: now, limit: 2 });
  expect(own(first.rows)).toEqual(known.slice(0, 2));
  expect(own((await read({ since: now, limit: 1, cursor: first.nextCursor })).rows)).toEqual(known.slice(2));
  expect((await read({ action: 'transaction.released' })).rows).toEqual([]);

  await held(0);
  expect(own((await read({ action: 'receipt.noted' })).rows)).toEqual([
    ['receipt.noted', full],
    ['receipt.noted', short],
  ]);
  const all = (await operator.query('audit.list', { merchantId: null, ofMerchant: merchantId, since: now }))
    .value.rows;
  expect(all.length).toBeGreaterThanOrEqual(rows.length + 5);
  expect(clock.now()).toBe(now);
});

test('the export is the list with the same filters as CSV', async () => {
  const merchant = await service.merchant({ name: '=HYPERLINK("x")' });
  const operator = await signedIn(service, { role: 'operator' });
  await addDomain(service.app.deps, merchant.merchantId, 'csv.pt');
  const response = await operator.get(
    `/export/audit.csv?ofMerchant=${merchant.merchantId}&action=domain.added&since=${now}&language=en`,
  );
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="audit-${lisbonDay(now)}.csv"`,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  const [header, line, rest] = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(await response.arrayBuffer())
    .split('\r\n');
  expect(header).toBe('\ufeffEntry,When (Lisbon),Who,User,Address,Merchant,Action,Object,Details');
  expect(line).toMatch(
    new RegExp(`^aud_\\w+,2026-06-\\d\\d [\\d:]{8},Service,,,${merchant.merchantId},Domain added,csv.pt,$`),
  );
  expect(rest).toBe('');
  const portuguese = await operator.get(
    `/export/audit.csv?ofMerchant=${merchant.merchantId}&action=domain.added`,
  );
  expect(portuguese.headers.get('content-disposition')).toContain(`"auditoria-${lisbonDay(now)}.csv"`);
  expect(await portuguese.text()).toMatch(
    /^Registo;Quando \(Lisboa\);Quem;.*\r\naud_\w+;2026-[\d: -]+;Serviço;;;mer_\w+;Domínio adicionado;csv\.pt;\r\n$/,
  );
});

test('the details of an entry are in the language of the export', async () => {
  const { merchantId } = await service.merchant();
  const operator = await signedIn(service, { role: 'operator' });
  const { deps } = service.app;
  await setMerchant(deps, merchantId, { autoRecover: true, customerMails: true, alerts: false });
  const credentials = sandboxCredentials(deps.random, 'eupago');
  await setBankAccount(deps, { merchantId, acquirer: 'eupago', credentials });
  await setRoute(deps, merchantId, 'REFERENCE', { acquirer: 'eupago', fallback: 'ifthenpay' });
  const entry = { merchantId, target: null, details: { by: 'reset' } } as const;
  await deps.db.unit((tx) => recordAudit(tx, deps, { ...entry, action: 'user.password_changed' }));
  const csv = await (await operator.get(`/export/audit.csv?ofMerchant=${merchantId}&since=${now}`)).text();
  const lines = csv.trim().split('\r\n').slice(1, 5);
  expect(lines.map((line) => line.split(';"')[1] ?? line.split(';').at(-1))).toEqual([
    'por: link de reposição',
    'método: Multibanco; adquirente: EuPago; alternativa: ifthenpay"',
    'adquirente: EuPago',
    'recuperação automática: sim; e-mails aos clientes: sim; alertas por e-mail: não"',
  ]);
});

test('an owner sees that a refund was settled as failed, without the note of the operator', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const operator = await signedIn(service, { role: 'operator' });
  const { deps } = service.app;
  const settled = { action: 'refund.settled', merchantId, target: 'ref_1' } as const;
  for (const outcome of ['failed', 'done'])
    await deps.db.unit((tx) => recordAudit(tx, deps, { ...settled, details: { outcome, note: 'found' } }));
  const details = async ({ query }: typeof owner, scope: object) =>
    (await query('audit.list', { ...scope, action: 'refund.settled' })).value.rows.map(
      (row: { details: object }) => row.details,
    );
  const [done, failed] = [
    { outcome: 'done', note: 'found' },
    { outcome: 'failed', note: 'found' },
  ];
  expect(await details(operator, { merchantId: null, ofMerchant: merchantId })).toEqual([done, failed]);
  expect(await details(owner, { merchantId })).toEqual([done, { outcome: 'failed' }]);
});
