import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { readable } from '../../src/cli/output.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { knownUrl } from '../support/known-urls.ts';
import { refusalOf, run } from '../support/process.ts';
import { jsonHere, type Line, operatorOf, refusedHere, runHere } from './support.ts';

test('merchants, domains, keys, bank accounts, leads, receipts: the JSON of the contract', async () => {
  const folder = temporaryFolder();
  const json = (line: Line) => jsonHere(folder, line);
  const domains = ['--domain', 'Shop.pt', '--domain=*.loja.pt'];
  const made = await json([
    ...['merchant', 'create', '--name', 'Loja Ã', ...domains],
    ...['--webhook-url', 'https://shop.pt/hook'],
  ]);
  expect(Object.keys(made)).toEqual(['merchantId', 'apiKey', 'webhookSecret']);
  const id = made.merchantId;

  const off = ['active', 'webhook-enabled', 'refunds', 'alerts'].map((name) => `--${name} false`);
  const on = ['hold', 'refund-events', 'auto-recover', 'customer-mails'].map((name) => `--${name} true`);
  const changed = await json(`merchant set ${id} ${[...off, ...on].join(' ')}`);
  expect(changed).toEqual({
    merchantId: id,
    name: 'Loja Ã',
    active: false,
    hold: true,
    domains: ['*.loja.pt', 'shop.pt'],
    webhookUrl: 'https://shop.pt/hook',
    webhookEnabled: false,
    refunds: false,
    refundEvents: true,
    autoRecover: true,
    customerMails: true,
    alerts: false,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(await json('merchant list')).toEqual([changed]);
  expect(await json(`domain add ${id} other.pt`)).toEqual({
    domains: ['*.loja.pt', 'other.pt', 'shop.pt'],
  });
  expect(await json(`domain remove ${id} SHOP.pt`)).toEqual({ domains: ['*.loja.pt', 'other.pt'] });
  const rolled = await json(`key roll ${id} --grace-hours 1.5`);
  expect(rolled).toEqual({ apiKey: expect.stringMatching(/^sk_/) });
  expect(rolled.apiKey).not.toBe(made.apiKey);
  await json(`key roll ${id}`);
  const { keyId } = await json(`key create ${id} --name ERP --expires-in-days 7`);
  const [named, ...unnamed] = await json(`key list ${id}`);
  expect(named).toMatchObject({ keyId, name: 'ERP', lastUsedAt: null });
  expect(Date.parse(named.expiresAt) - Date.parse(named.createdAt)).toBe(7 * DAY_MS);
  expect(unnamed).toMatchObject([{ expiresAt: null }, {}, {}]);
  // Without a grace period.
  for (const { expiresAt } of unnamed.slice(1)) expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now());
  expect(await json(`key revoke ${id} ${keyId}`)).toEqual({ keyId, expiresAt: expect.any(String) });

  const credentials = JSON.stringify({
    mbWayKey: 'ABC-123456',
    mbKey: 'ABC-654321',
    backofficeKey: '1111-2222-3333-4444',
    antiPhishingKey: 'a-long-enough-key',
  });
  expect(await operatorOf(folder).json(`bank set --merchant ${id}`, { stdin: credentials })).toEqual({
    account: expect.stringMatching(/^acc_/),
    acquirer: 'ifthenpay',
  });
  expect(await json(`lead list --merchant ${id}`)).toEqual([]);
  expect(await json('receipt list --flag late')).toEqual([]);
});

test('a backup is a sound database in one private file, without the key, and never overwrites', async () => {
  const folder = temporaryFolder();
  const { merchantId } = await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const file = join(folder, 'copy.db');
  const { code, stdout, stderr } = await runHere(folder, ['backup', file, '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([0, { file, bytes: statSync(file).size }]);
  expect(stderr).toContain('does not contain the secret key');
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const copy = new Sqlite(file, { readonly: true });
  expect(copy.prepare('select id from merchants').pluck().all()).toEqual([merchantId]);
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete');
  copy.close();
  expect(readFileSync(file).includes(readFileSync(join(folder, 'secret.key')))).toBe(false);

  const refused = (to: string) => refusedHere(folder, ['backup', to]);
  expect(await refused(file)).toContain(' already exists and is not overwritten');
  expect(await refused(join(folder, 'none', 'copy.db'))).toMatch(/^cannot create the file /);
});

test('an interrupted backup leaves no file of that name', async () => {
  const folder = temporaryFolder();
  await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const file = join(folder, 'copy.db');
  const code = `
    const { openCli } = await import('./src/cli/open.ts');
    const { backUp } = await import('./src/installation/backup.ts');
    const deps = await openCli(process.env);
    const { backup } = deps.db;
    deps.db.backup = async (target) => {
      await backup(target);
      process.kill(process.pid, 'SIGINT');
    };
    await backUp(deps, ${JSON.stringify(file)});`;
  const env = { SERVICE_DATABASE_URL: knownUrl(folder) };
  expect(await run('--input-type=module', ['-e', code], env).ended).toBe('SIGINT');
  expect(readdirSync(folder).filter((name) => name.startsWith('copy.db'))).toEqual(['copy.db.partial']);
  const again = await runHere(folder, `backup ${file}`);
  expect(again.stderr).toContain(
    'copy.db.partial already exists: another backup is writing it, or one was interrupted',
  );
});

test('an answer that cannot be written to standard output is a failure with one line', async () => {
  const script = 'exec "$0" src/cli.ts help > /dev/full';
  expect(await refusalOf('-c', [script, process.execPath], {}, { command: 'sh' })).toMatch(
    /^cannot write to standard output: ENOSPC/,
  );
});

test('without --json the answer is text: lines and tables', async () => {
  const folder = temporaryFolder();
  const made = await runHere(folder, 'merchant create --name Loja --domain shop.pt');
  expect(made.stdout).toMatch(/^merchantId +mer_\w+\napiKey +sk_\S+\nwebhookSecret +whsec_\S+\n$/);
  const list = await runHere(folder, 'merchant list');
  expect(list.stdout).toMatch(
    /^merchantId +name +active .*\nmer_\w+ +Loja +yes +no +shop\.pt +- +no +yes +no +no +no +yes +\S+\n$/,
  );
});

test.each([
  ['nonsense', 'unknown command "nonsense"'],
  ['merchant destroy mer_1', 'choose one of: merchant create'],
  ['merchant create --domain shop.pt', '--name is missing. Usage: merchant create --name N'],
  ['merchant create --name Loja', 'at least one store domain'],
  ['merchant create --nome Loja', "Unknown option '--nome'. Usage:"],
  ['merchant set --active true', 'ID is missing. Usage: merchant set ID'],
  ['merchant set mer_1 mer_2', 'unexpected argument "mer_2"'],
  ['refund create --transaction tx_1 --amount 1 --amount 2', '--amount is given twice. Usage: refund create'],
  ['merchant set tx_1', 'ID must be an id such as mer_…, not "tx_1"'],
  ['merchant set mer_1 --hold yes', '--hold must be true or false, not "yes"'],
  ['merchant set mer_1 --hold true', 'there is no merchant mer_1'],
  ['key roll mer_1 --grace-hours many', '--grace-hours must be a number'],
  ['transaction show tx_1', 'there is no transaction tx_1'],
  ['refund create', 'give either --transaction or --receipt'],
  ['refund create --transaction tx_1 --receipt rcp_1', 'give either --transaction or --receipt'],
  ['refund list --merchant mer_1', 'there is no merchant mer_1'],
  ['link list --merchant mer_1', 'there is no merchant mer_1'],
  ['lead erase led_1', 'there is no lead led_1'],
  ['lead erase tx_1', 'there is no transaction tx_1'],
  ['lead list', '--merchant is missing'],
  ['lead list --merchant mer_1', 'there is no merchant mer_1'],
  [
    'statement export --merchant mer_1 --from 2026-01-01 --to 2026-01-31 /dev/null',
    'there is no merchant mer_1',
  ],
  ['lead list --merchant mer_1 --limit 0', '--limit must be a whole number from 1 to 1000'],
  ['merchant list --limit 10001', '--limit must be a whole number from 1 to 10000'],
  ['receipt list --flag odd', 'late, duplicate, under, over or unmatched'],
  ['webhook resend dlv_1', 'there is no delivery dlv_1'],
  ['webhook rotate mer_1', 'there is no merchant mer_1'],
  ['webhook rotate-finish mer_1', 'there is no merchant mer_1'],
  ['webhook recover mer_1', '--since is missing. Usage: webhook recover ID --since T'],
  ['webhook recover mer_1 --since 2026-02-30', '--since must be an instant such as'],
  ['webhook recover mer_1 --since 2026-01-31T12:00', 'not "2026-01-31T12:00"'],
  ['webhook recover mer_1 --since 2999-01-01', '2999-01-01T00:00:00.000Z is in the future'],
  ['webhook recover mer_1 --since 2026-01-01T01:00+01:00', 'there is no merchant mer_1'],
  ['webhook recovery mer_1', 'there is no merchant mer_1'],
  ['webhook listen --key sk_1', '--url is missing. Usage: webhook listen'],
  ['webhook listen --url http://x', '--key is missing and API_KEY is not set'],
  ['webhook listen --url x --key k', '--url must be an http or https URL'],
  ['webhook listen --url http://x --key k --forward :3000', '--forward must be an http or https URL'],
  ['webhook listen --url http://x --key k --replay all', '--replay must be'],
  ['webhook listen --url http://x --key ação', '--key is not an API key'],
  ['event export mer_1', 'there is no merchant mer_1'],
  ['event export mer_1 --after 1.5', '--after must be a whole number, not "1.5"'],
  ['event export mer_1 --after 9007199254740993', '--after must be a whole number'],
  ['bank route mer_1 --fallback eupago', '--method is missing'],
  ['bank route mer_1 --method mbway', '--acquirer is missing'],
  ['bank register-callback', 'no bank credentials are set'],
  ['user create --email ana --role operator', '"ana" is not an email address'],
  ['user create --email ana@shop.pt --role boss', '--role must be operator, owner or viewer, not "boss"'],
  ['user create --email ana@shop.pt --role owner', 'name it with --merchant'],
  ['user create --email ana@shop.pt --role operator --merchant mer_1', 'leave --merchant out'],
  ['user create --email ana@shop.pt --role viewer --merchant mer_1', 'there is no merchant mer_1'],
  ['user create --email ana@shop.pt --role viewer --merchant shop', '--merchant must be an id such as mer_…'],
  ['refund list --after tx_1', '--after must be an id such as ref_…, not "tx_1"'],
  ['lead list --merchant mer_1 --after x', '--after must be an id such as led_…'],
  ['receipt list --after rcp', '--after must be an id such as rcp_…'],
  ['merchant list --after 1', '--after must be an id such as mer_…'],
  ['link list --merchant mer_1 --after cs_1', '--after must be an id such as lnk_…'],
  ['user create --role viewer', '--email is missing'],
  ['user reset --email none@example.pt', 'there is no user "none@example.pt"'],
])('%s fails with exit code 1 and one line: %s', async (line, sentence) => {
  const folder = temporaryFolder();
  await databaseUrl(folder, onTestFinished);
  expect(await refusedHere(folder, `${line} --json`)).toContain(sentence);
});

test('invalid settings, another bank, another key and a broken database fail with one line', async () => {
  const folder = temporaryFolder();
  await databaseUrl(folder, onTestFinished);
  const key = Buffer.alloc(32, 1).toString('base64');
  expect((await runHere(folder, 'merchant list --json')).stdout).toBe('[]\n');
  const fails = (env: Record<string, string>) => refusedHere(folder, 'merchant list', env);
  expect(await fails({ SERVICE_PORT: 'x' })).toMatch(/^SERVICE_PORT /);
  expect(await fails({ SERVICE_SECRET_KEY: key })).toMatch(/^SERVICE_SECRET_KEY /);
  const bank = { SERVICE_BANK: 'ifthenpay', SERVICE_SECRET_KEY: key };
  expect(await fails(bank)).toMatch(/^SERVICE_BANK is ifthenpay, but.*sandbox/);
  writeFileSync(join(folder, 'text.db'), 'this is not a database, it is a text\n'.repeat(100));
  const url = `sqlite:${join(folder, 'text.db')}`;
  expect(await fails({ SERVICE_DATABASE_URL: url })).toMatch(/^SERVICE_DATABASE_URL: /);
});

test('bank set rejects input that is not JSON, incomplete or too large, and never repeats it', async () => {
  const operator = operatorOf(temporaryFolder());
  const failed = async (stdin: string) => {
    const { code, stdout, stderr } = await operator.run('bank set', { stdin });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).not.toContain('precious');
    return stderr;
  };
  expect(await failed('precious')).toContain('standard input is not valid JSON');
  expect(await failed('{"mbWayKey":"precious"}')).toContain('mbWayKey must look like ABC-123456');
  const tooLarge = JSON.stringify({ mbWayKey: 'precious'.repeat(10_000) });
  expect(await failed(tooLarge)).toContain('larger than 65536 bytes');
});

test('help lists the commands and needs no database', async () => {
  const env = { SERVICE_DATABASE_URL: 'nonsense' };
  const folder = temporaryFolder();
  const overview = await runHere(folder, [], env);
  expect(overview).toMatchObject({ code: 0, stderr: '' });
  for (const name of ['merchant create', 'bank register-callback', 'transaction release TX', 'backup FILE']) {
    expect(overview.stdout).toContain(name);
  }
  const one = await runHere(folder, 'key roll --help', env);
  expect(one.stdout).toMatch(/^key roll ID \[--grace-hours 0\]/);
  const list = await runHere(folder, 'help --json', env);
  expect(JSON.parse(list.stdout)[0]).toEqual(expect.objectContaining({ command: 'merchant create' }));
});

test('a table shortens long texts, but neither addresses nor its last column', () => {
  const url = `https://${'pay.'.repeat(20)}example/pay/l/token`;
  const shown = readable([{ title: 'T'.repeat(70), url, enter: `${'what to enter '.repeat(10)}by hand` }]);
  expect(shown).toContain(`${'T'.repeat(59)}…  ${url}  what to enter`);
  expect(shown).toContain('by hand\n');
});

test('bank hosts lists every host that the service calls at the bank, without a database', async () => {
  const { code, stdout } = await runHere(temporaryFolder(), 'bank hosts --json', {
    SERVICE_DATABASE_URL: 'sqlite:/none/service.db',
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ bank: 'ifthenpay', host: 'api.ifthenpay.com', port: 443 }),
    expect.objectContaining({ bank: 'ifthenpay', host: 'ifthenpay.com', port: 443 }),
    expect.objectContaining({ bank: 'ifthenpay', host: 'www.ifthenpay.com', port: 443 }),
    expect.objectContaining({ bank: 'eupago', host: 'clientes.eupago.pt', port: 443 }),
  ]);
});

test('only commands that set up an installation create a missing database; the others name the file and create nothing', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'wrong', 'service.db');
  const env = { SERVICE_DATABASE_URL: `sqlite:${file}` };
  for (const line of [
    'merchant list',
    'refund list',
    `backup ${join(folder, 'copy.db')}`,
    'secrets rotate',
  ]) {
    const sentence = `SERVICE_DATABASE_URL names the file ${file}, which is missing or empty`;
    expect(await refusedHere(folder, line, env)).toContain(sentence);
  }
  expect(readdirSync(folder)).toEqual([]);
  // As a full disk leaves it.
  const empty = join(folder, 'empty.db');
  writeFileSync(empty, '');
  const listed = await refusedHere(folder, 'merchant list', { SERVICE_DATABASE_URL: `sqlite:${empty}` });
  expect(listed).toContain(`${empty}, which is missing or empty`);
  expect(readdirSync(folder)).toEqual(['empty.db']);
  await jsonHere(folder, 'user create --email o@x.pt --role operator', env);
  expect(await jsonHere(folder, 'merchant list', env)).toEqual([]);
});
