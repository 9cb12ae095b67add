import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { expect, test } from 'vitest';
import { downloadTransfers } from '../../src/backoffice/refunds/download.ts';
import type { Database } from '../../src/db/database.ts';
import { UnconfirmedCommit, UnknownCommit } from '../../src/db/postgres/failures.ts';
import { isoInstant } from '../../src/kernel/clock.ts';
import { errorText, OperatorError } from '../../src/kernel/errors.ts';
import { validIban } from '../../src/kernel/iban.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { creditTransferXml } from '../../src/payments/refunds/credit-transfer.ts';
import { draftTransfers, exportRefunds } from '../../src/payments/refunds/export-refunds.ts';
import { setRefund } from '../../src/payments/refunds/set-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { listRefunds } from '../../src/payments/refunds/view.ts';
import { refusedHere, runHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { insertRows, selectRow, updateRows } from '../support/rows.ts';
import { draftedTransfer, installation, refundKit } from './refund-kit.ts';
import { firstOf, OPERATOR, SETTINGS, setup } from './setup.ts';

const SCHEMA = new URL('./fixtures/pain.001.001.09.xsd', import.meta.url);
const IBAN = 'PT50000201231234567890154';
const DEBTOR = { SERVICE_SEPA_DEBTOR_NAME: 'Loja & Filhos, Lda.', SERVICE_SEPA_DEBTOR_IBAN: IBAN };

function validated(xml: string): XmlDocument {
  const schema = XmlDocument.fromString(readFileSync(SCHEMA, 'utf8'));
  const validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromString(xml);
  validator.validate(document);
  return document;
}

test('the file is valid, its sums add up, and names keep to the characters of SEPA', () => {
  const names = ['João Gonçalves & Søn <GmbH>', 'Æ'.repeat(200), '"Straße"'];
  const xml = creditTransferXml({
    messageId: 'MESSAGE-1',
    now: Date.UTC(2026, 2, 28, 23, 30),
    debtor: { name: 'Loja & Filhos, Lda.', iban: IBAN },
    transfers: names.map((name, i) => ({
      endToEndId: `ref_${i}`,
      amount: cents(1001 + i),
      iban: IBAN,
      name,
      text: `Reembolso #${i}`,
    })),
  });
  const document = validated(xml);
  const at = (path: string) => {
    const namespaces = { p: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' };
    return document.find(path, namespaces).map((node) => node.content);
  };
  expect(at('//p:CdtTrfTxInf/p:Cdtr/p:Nm')).toEqual([
    'Joao Goncalves + Son GmbH',
    'AE'.repeat(35),
    'Strasse',
  ]);
  expect(at('//p:CtrlSum')).toEqual(['30.06', '30.06']);
  expect(at('//p:NbOfTxs')).toEqual(['3', '3']);
  expect(at('//p:InstdAmt')).toEqual(['10.01', '10.02', '10.03']);
  expect(at('//p:ReqdExctnDt/p:Dt')).toEqual(['2026-03-28']);
  expect(at('//p:Dbtr/p:Nm')).toEqual(['Loja + Filhos, Lda.']);
});

test('refunds that await their transfer are exported once, to a private file', async () => {
  const { folder, service, shop, json } = await installation();
  const exported = async (name: string, ...more: string[]) => {
    const line = ['refund', 'export', join(folder, name), ...more, '--json'];
    const outcome = await runHere(folder, line, DEBTOR);
    expect(outcome.stderr).toBe('');
    return JSON.parse(outcome.stdout);
  };
  const [one, two] = [await shop.payReference(), await shop.payReference()];
  const first = await json(['refund', 'create', '--transaction', one, '--iban', IBAN]);
  const bare = await json(['refund', 'create', '--transaction', two, '--amount', '3']);
  const unset = await refusedHere(folder, ['refund', 'export', join(folder, 'none.xml')]);
  expect(unset).toContain('SERVICE_SEPA_DEBTOR_NAME');

  const file = join(folder, 'one.xml');
  expect(await exported('one.xml')).toEqual({ file, count: 1, total: 19.99, left: [bare.refundId] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const xml = readFileSync(file, 'utf8');
  validated(xml);
  expect(xml).toContain(`<EndToEndId>${first.refundId}</EndToEndId>`);
  expect(xml).toContain('<Cdtr><Nm>Ana Silva</Nm></Cdtr>');
  expect(await json(`refund show ${first.refundId}`)).toMatchObject({
    state: 'awaiting_transfer',
    exportedAt: expect.any(String),
    history: [{ note: null }, { note: 'exported for bank transfer' }],
  });
  const late = await refusedHere(folder, ['refund', 'set', first.refundId, '--iban', IBAN]);
  expect(late).toContain('was exported');

  const set = (name: string) => json(['refund', 'set', bare.refundId, '--iban', IBAN, '--name', name]);
  const foreign = await refusedHere(folder, [
    ...['refund', 'set', bare.refundId, '--iban', IBAN],
    ...['--name', '株式会社'],
  ]);
  expect(foreign).toContain('Latin letters');
  await set('Ana Silva');
  expect(await exported('two.xml')).toMatchObject({ count: 1, total: 3, left: [] });
  const marked = (await json(`refund show ${bare.refundId}`)).exportedAt;
  for (const taken of [file, folder]) {
    const refused = await refusedHere(folder, ['refund', 'export', taken, '--again'], DEBTOR);
    expect(refused).toContain('cannot create the file');
  }
  expect(readFileSync(file, 'utf8')).toBe(xml);
  expect((await json(`refund show ${bare.refundId}`)).exportedAt).toBe(marked);
  expect(readdirSync(folder).filter((name) => name.includes('.xml'))).toEqual(['one.xml', 'two.xml']);
  expect(await exported('all.xml', '--again')).toEqual({
    file: join(folder, 'all.xml'),
    count: 2,
    total: 22.99,
    left: [],
  });
  // A bank recognises a repeated transfer by its id.
  const ids = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .match(/<EndToEndId>[^<]+/g)
      ?.toSorted();
  expect(ids('all.xml')).toEqual([...(ids('one.xml') ?? []), ...(ids('two.xml') ?? [])].toSorted());
  const { stderr } = await runHere(folder, ['refund', 'export', join(folder, 'more.xml'), '--again'], DEBTOR);
  expect(stderr).toMatch(/^WARNING: 2 of these transfers are in an earlier file too/);
  const { history } = await json(`refund show ${first.refundId}`);
  expect(history.at(-1)).toMatchObject({ note: 'exported again for bank transfer' });
  // A refund whose money the bank reports as refunded elsewhere is left out.
  const { deps } = service.app;
  const { account_id, merchant_id } = await selectRow(deps.db, 'receipts', { id: first.receiptId });
  const report = { id: deps.ids('rep'), identity: 'elsewhere', amount_cents: cents(1), reported_at: 1 };
  const of = { account_id, merchant_id, receipt_id: first.receiptId };
  await insertRows(deps.db, 'reported_refunds', { ...report, ...of });
  expect(await exported('left.xml', '--again')).toMatchObject({ count: 1, total: 3, left: [first.refundId] });
  await json(['refund', 'settle', first.refundId, '--outcome', 'done', '--note', 'paid']);
  expect(await exported('rest.xml', '--again')).toMatchObject({ count: 1, total: 3 });
});

test('an IBAN that cannot be read affects neither the other transfers nor the list of refunds', async () => {
  const { deps: base, bank, pass, receipts } = await setup();
  const deps = { ...base, settings: { ...base.settings, sepaDebtorName: 'Loja', sepaDebtorIban: IBAN } };
  for (const amount of [500, 700]) bank.foreign(cents(amount));
  await pass(SETTINGS.reconcileMs);
  const ids: Id<'ref'>[] = [];
  for (const { id: receiptId } of await receipts()) {
    const order = { of: { receiptId }, amount: null, iban: IBAN, name: 'Ana' };
    ids.push(await createRefund(deps, OPERATOR, order));
  }
  const [damaged = 'ref_', good] = ids;
  await updateRows(deps.db, 'refunds', { iban: 'damaged' }, { id: damaged });
  const draft = await draftTransfers(deps, false);
  expect(draft).toMatchObject({ count: 1, left: [{ id: damaged }] });
  expect(draft.xml).toContain(good);
  const shown = (await listRefunds(deps, { limit: 9 })).map(({ refundId, iban }) => [refundId, iban]);
  expect(shown).toEqual([
    [damaged, null],
    [good, IBAN.slice(-4)],
  ]);
});

test('until a refund is marked as exported, the file with its transfer is named .partial', async () => {
  const made = await draftedTransfer({ isAssigned: false });
  const { id } = firstOf(await refundKit(made).rows());
  const { db } = made.deps;
  const folder = temporaryFolder();
  const holding = () =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name), 'utf8').includes(id));
  let killedWith: string[] = [];
  const unit: typeof db.unit = (work) => {
    killedWith = holding();
    return db.unit(work);
  };
  const deps = { ...made.deps, db: { ...db, unit } };
  await exportRefunds(deps, { file: join(folder, 'one.xml'), again: false });
  expect(killedWith).toEqual([expect.stringMatching(/^one\.xml\..+\.partial$/)]);
  expect(holding()).toEqual(['one.xml']);
});

test.each([new UnknownCommit(new Error('Connection terminated')), new UnconfirmedCommit()])(
  'when it is unclear whether an export was saved, its transfers stay in a file that the error names (%s)',
  async (failure) => {
    const { deps } = await draftedTransfer({ isAssigned: false });
    const { id } = await selectRow(deps.db, 'refunds', {});
    const unit: Database['unit'] = async (work) => {
      await deps.db.unit(work);
      throw failure;
    };
    const losing = { ...deps, db: { ...deps.db, unit } };
    const folder = temporaryFolder();
    const outcome = exportRefunds(losing, { file: join(folder, 'one.xml'), again: false });
    const error: unknown = await outcome.catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(OperatorError);
    const [draft = ''] = readdirSync(folder);
    const at = isoInstant(deps.clock.now());
    expect(errorText(error)).toContain(`Their transfers are in ${join(folder, draft)}.`);
    expect(errorText(error)).toContain(
      `if its history has an export at ${at}, rename that file and upload it too`,
    );
    expect(readFileSync(join(folder, draft), 'utf8')).toContain(`<EndToEndId>${id}</EndToEndId>`);
    expect(await selectRow(deps.db, 'refunds', { id })).toMatchObject({ exported_at: expect.any(Number) });
    expect(readdirSync(folder)).toHaveLength(1);
    await expect(downloadTransfers(losing, true)).rejects.toMatchObject({ reason: 'refund_export_unclear' });
  },
);

type Draft = Awaited<ReturnType<typeof draftedTransfer>>;
type Change = (made: Draft, refundId: Id<'ref'>) => Promise<unknown>;

test.each<[string, Change]>([
  [
    'its account is changed',
    ({ deps }, refundId) => setRefund(deps, OPERATOR, { refundId, iban: 'DE89370400440532013000' }),
  ],
  ['it is exported', ({ mark }) => mark()],
  [
    'it is settled',
    ({ deps }, refundId) => settleRefund(deps, { refundId, outcome: 'failed', note: 'paid in cash' }),
  ],
  [
    'its money is reported as refunded',
    (made) => refundKit(made).notify(made.row.requestId ?? '', made.row.amount, 'elsewhere'),
  ],
])('a transfer is not exported when %s while its file is made', async (_what, change) => {
  const made = await draftedTransfer({ isAssigned: false });
  expect(made.count).toBe(1);
  await change(made, firstOf(await refundKit(made).rows()).id);
  await expect(made.mark()).rejects.toThrow('has just been changed or exported');
});

test('IBANs are checked with their digits and country, in any spelling', () => {
  expect(validIban(' pt50 0002 0123 1234 5678 9015 4')).toBe(IBAN);
  expect(validIban('DE89370400440532013000')).toBe('DE89370400440532013000');
  expect(validIban('RS35260005601001611379')).toBe('RS35260005601001611379');
  // One transfer that SEPA does not know makes a bank refuse the complete file.
  expect(validIban('BR1800360305000010009795493C1')).toBe(null);
  for (const wrong of ['PT50000201231234567890155', 'PT5000020123', 'XX00', ''])
    expect(validIban(wrong)).toBe(null);
});
