import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { operatorOf, runHere } from './support.ts';

describe('one merchant, from its making to the copy of its database', () => {
  test('merchants, domains, keys, bank accounts, leads, receipts: the JSON of the contract', async () => {
    const operator = operatorOf(temporaryFolder());
    const made = await operator.json([
      'merchant',
      'create',
      '--name',
      'Loja Ã',
      '--domain',
      'Shop.pt',
      '--domain=*.loja.pt',
      '--webhook-url',
      'https://shop.pt/hook',
    ]);
    expect(Object.keys(made)).toEqual(['merchantId', 'apiKey', 'webhookSecret']);
    const id = made.merchantId;

    const changed = await operator.json([
      'merchant',
      'set',
      id,
      '--active',
      'false',
      '--webhook-enabled',
      'false',
    ]);
    expect(changed).toEqual({
      merchantId: id,
      name: 'Loja Ã',
      active: false,
      hold: false,
      domains: ['*.loja.pt', 'shop.pt'],
      webhookUrl: 'https://shop.pt/hook',
      webhookEnabled: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await operator.json(['merchant', 'list'])).toEqual([changed]);
    expect(await operator.json(['domain', 'add', id, 'other.pt'])).toEqual({
      domains: ['*.loja.pt', 'other.pt', 'shop.pt'],
    });
    expect(await operator.json(['domain', 'remove', id, 'SHOP.pt'])).toEqual({
      domains: ['*.loja.pt', 'other.pt'],
    });
    const rolled = await operator.json(['key', 'roll', id, '--grace-hours', '1.5']);
    expect(rolled).toEqual({ apiKey: expect.stringMatching(/^sk_/) });
    expect(rolled.apiKey).not.toBe(made.apiKey);

    const credentials = JSON.stringify({
      mbWayKey: 'ABC-123456',
      mbKey: 'ABC-654321',
      backofficeKey: '1111-2222-3333-4444',
      antiPhishingKey: 'a-long-enough-key',
    });
    expect(await operator.json(['bank', 'set', '--merchant', id], { stdin: credentials })).toEqual({
      account: expect.stringMatching(/^acc_/),
    });
    expect(await operator.json(['lead', 'list', '--merchant', id])).toEqual([]);
    expect(await operator.json(['receipt', 'list', '--flag', 'late'])).toEqual([]);
  });

  test('a backup is a sound database in one private file, without the key, and never overwrites', async () => {
    const folder = temporaryFolder();
    const operator = operatorOf(folder);
    const { merchantId } = await operator.json([
      'merchant',
      'create',
      '--name',
      'Loja',
      '--domain',
      'shop.pt',
    ]);
    const file = join(folder, 'copy.db');
    const { code, stdout, stderr } = await operator.run(['backup', file, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { file, bytes: statSync(file).size }]);
    expect(stderr).toContain('secret key');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const copy = new Sqlite(file, { readonly: true });
    expect(copy.prepare('select id from merchants').pluck().all()).toEqual([merchantId]);
    expect(copy.pragma('journal_mode', { simple: true })).toBe('delete');
    copy.close();
    expect(readFileSync(file).includes(readFileSync(join(folder, 'secret.key')))).toBe(false);

    const again = await operator.run(['backup', file]);
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^.* is not overwritten.*\n$/),
    });
    const nowhere = await operator.run(['backup', join(folder, 'none', 'copy.db')]);
    expect(nowhere).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^cannot make the file .*\n$/),
    });
  });

  test('without --json people read lines and tables', async () => {
    const operator = operatorOf(temporaryFolder());
    const made = await operator.run(['merchant', 'create', '--name', 'Loja', '--domain', 'shop.pt']);
    expect(made.stdout).toMatch(/^merchantId +mer_\w+\napiKey +sk_\S+\nwebhookSecret +whsec_\S+\n$/);
    const list = await operator.run(['merchant', 'list']);
    expect(list.stdout).toMatch(
      /^merchantId +name +active .*\nmer_\w+ +Loja +yes +no +shop\.pt +- +no +\S+\n$/,
    );
  });
});

describe('a command that fails: exit code 1, one line on standard error, nothing on standard output', () => {
  test.each([
    [['nonsense'], 'there is no command "nonsense"'],
    [['merchant'], 'there is merchant create, merchant set, merchant list'],
    [['merchant', 'destroy', 'mer_1'], 'there is merchant create'],
    [
      ['merchant', 'create', '--domain', 'shop.pt'],
      '--name is missing; the form is: merchant create --name N',
    ],
    [['merchant', 'create', '--name', 'Loja'], 'at least one store domain'],
    [['merchant', 'create', '--name', 'Loja', '--domain', 'com.pt'], '"com.pt" is a public suffix'],
    [['merchant', 'create', '--nome', 'Loja'], "Unknown option '--nome'; the form is:"],
    [['merchant', 'set', '--active', 'true'], 'ID is missing; the form is: merchant set ID'],
    [['merchant', 'set', 'mer_1', 'mer_2'], '"mer_2" is one word too many'],
    [['merchant', 'set', 'tx_1'], 'ID is an id such as mer_…, not "tx_1"'],
    [['merchant', 'set', 'mer_1', '--hold', 'yes'], '--hold is true or false, not "yes"'],
    [['merchant', 'set', 'mer_1', '--hold', 'true'], 'there is no merchant mer_1'],
    [['key', 'roll', 'mer_1', '--grace-hours', 'many'], '--grace-hours is a number'],
    [['transaction', 'show', 'tx_1'], 'there is no transaction tx_1'],
    [['lead', 'list'], '--merchant is missing'],
    [['lead', 'list', '--merchant', 'mer_1', '--limit', '0'], '--limit is a whole number from 1 to 1000'],
    [['receipt', 'list', '--flag', 'odd'], 'late, duplicate, under, over, unmatched'],
    [['webhook', 'resend', 'dlv_1'], 'there is no delivery dlv_1'],
    [['webhook', 'rotate', 'mer_1'], 'there is no merchant mer_1'],
    [['webhook', 'rotate-finish', 'mer_1'], 'there is no merchant mer_1'],
    [['webhook', 'recover', 'mer_1'], '--since is missing; the form is: webhook recover ID --since T'],
    [['webhook', 'recover', 'mer_1', '--since', '2026-02-30'], '--since is an instant such as'],
    [['webhook', 'recover', 'mer_1', '--since', '2026-01-31T12:00'], 'not "2026-01-31T12:00"'],
    [['webhook', 'recover', 'mer_1', '--since', '2999-01-01'], '2999-01-01T00:00:00.000Z is yet to come'],
    [['webhook', 'recover', 'mer_1', '--since', '2020-01-01'], 'there is no merchant mer_1'],
    [['webhook', 'recovery', 'mer_1'], 'there is no merchant mer_1'],
    [['event', 'export', 'mer_1'], 'there is no merchant mer_1'],
    [['event', 'export', 'mer_1', '--after', '1.5'], '--after is a whole number, not "1.5"'],
    [['bank', 'register-callback'], 'no bank credentials are set'],
  ])('%j: %s', async (args, sentence) => {
    const outcome = await runHere(temporaryFolder(), [...args, '--json']);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  });

  test('bad settings, another bank, another key, a file that is no database', async () => {
    const folder = temporaryFolder();
    const key = Buffer.alloc(32).toString('base64');
    expect((await runHere(folder, ['merchant', 'list', '--json'])).stdout).toBe('[]\n');
    const fails = async (env: Record<string, string>) =>
      (await runHere(folder, ['merchant', 'list'], env)).stderr;
    expect(await fails({ SERVICE_PORT: 'x' })).toMatch(/^SERVICE_PORT [^\n]+\n$/);
    expect(await fails({ SERVICE_SECRET_KEY: key })).toMatch(/^SERVICE_SECRET_KEY does not open[^\n]+\n$/);
    const bank = { SERVICE_BANK: 'ifthenpay', SERVICE_SECRET_KEY: key };
    expect(await fails(bank)).toMatch(/^SERVICE_BANK is ifthenpay, but[^\n]+sandbox[^\n]+\n$/);
    writeFileSync(join(folder, 'text.db'), 'this is not a database, it is a text\n'.repeat(100));
    const url = `sqlite:${join(folder, 'text.db')}`;
    expect(await fails({ SERVICE_DATABASE_URL: url })).toMatch(/^SERVICE_DATABASE_URL: [^\n]+\n$/);
  });

  test('bank set: standard input that is no JSON, no credentials or above 64 kB; none of it is repeated', async () => {
    const operator = operatorOf(temporaryFolder());
    const failed = async (stdin: string) => {
      const { code, stdout, stderr } = await operator.run(['bank', 'set'], { stdin });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).not.toContain('precious');
      return stderr;
    };
    expect(await failed('precious')).toContain('standard input is no JSON');
    expect(await failed('{"mbWayKey":"precious"}')).toContain('mbWayKey must look like ABC-123456');
    expect(await failed(JSON.stringify({ mbWayKey: 'precious'.repeat(10_000) }))).toContain(
      'more than 65536 bytes',
    );
  });
});

describe('help', () => {
  test('no command, or help, is the overview; it needs no database', async () => {
    const env = { SERVICE_DATABASE_URL: 'nonsense' };
    const folder = temporaryFolder();
    const overview = await runHere(folder, [], env);
    expect(overview).toMatchObject({ code: 0, stderr: '' });
    for (const name of [
      'merchant create',
      'bank register-callback',
      'transaction release TX',
      'backup FILE',
    ]) {
      expect(overview.stdout).toContain(name);
    }
    const one = await runHere(folder, ['key', 'roll', '--help'], env);
    expect(one.stdout).toMatch(/^key roll ID \[--grace-hours 0\]/);
    const list = await runHere(folder, ['help', '--json'], env);
    expect(JSON.parse(list.stdout)[0]).toEqual(expect.objectContaining({ command: 'merchant create' }));
  });
});
