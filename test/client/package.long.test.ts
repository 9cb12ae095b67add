import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { openReceiver } from '../support/open-receiver.ts';
import { install, link, nodes, pack, printed, runs } from '../support/package.ts';
import { endProgram, freePort, ready, startProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The samples of the guides. */
const SAMPLES = join(ROOT, 'src/docs/samples');
const TARBALL_BYTES_MAX = 2_800_000;
const CLIENT_BYTES_MAX = 50_000;

const folder = temporaryFolder(afterAll);
const packed = await pack(folder);

// A shop with the client, and what its types need in the tests below.
const project = join(folder, 'shop');
const clientInstalled = await install(packed.client, project);
const shopPackages = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
for (const name of ['@types/node', '@trpc/client', '@trpc/server', 'undici-types']) link(name, project);
cpSync(join(import.meta.dirname, 'package-shop'), project, { recursive: true });

const serverProject = join(folder, 'operator');
const installed = await install(packed.server, serverProject);
process.stdout.write(
  `the server was installed: ${installed === 'npm' ? 'by npm, offline' : 'unpacked and linked'}\n`,
);
const inside = join(serverProject, 'node_modules/payment-collection-service');
const files = filesIn(inside);
const manifest = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));

function filesIn(inside: string): string[] {
  return readdirSync(inside, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('node_modules'))
    .filter((file) => statSync(join(inside, file)).isFile());
}

test("packing leaves the repository's own manifest as it was", () => {
  expect(packed.manifestAfter).toBe(readFileSync(join(ROOT, 'package.json'), 'utf8'));
});

test('the client is one package of its modules and their types, without dependencies', () => {
  expect([clientInstalled, shopPackages]).toEqual(['npm', ['payment-collection-client']]);
  const client = join(project, 'node_modules/payment-collection-client');
  const { dependencies, scripts } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
  expect([dependencies, scripts]).toEqual([undefined, undefined]);
  const others = filesIn(client).filter((file) => !/^(commonjs\/)?[\w-]+(\.d\.ts|\.js)$/.test(file));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'commonjs/package.json', 'package.json']);
  expect(statSync(packed.client).size).toBeLessThan(CLIENT_BYTES_MAX);
  // The descriptions of the contract are comments of the types, for payments and sessions.
  const types = readFileSync(join(client, 'contract.d.ts'), 'utf8');
  expect(types).toMatch(/\/\*\* The address of the link back to your shop\..*\n +cancelUrl\?/);
});

test("the server's tarball contains only runtime files", () => {
  expect(statSync(packed.server).size).toBeLessThan(TARBALL_BYTES_MAX);
  const sources = files.filter((file) => /(?<!\.d)\.tsx?$|\.test\.|\.map$|\.png$/.test(file));
  expect(sources).toEqual([]);
  const folders = new Set(files.map((file) => (file.includes('/') ? file.replace(/\/.*/, '/') : file)));
  expect([...folders].sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/',
    'openapi/',
    'package.json',
    'scripts/',
  ]);
  expect(files).toContain('dist/backoffice/web/dist/index.html');
  const scripts = files.filter((file) => file.startsWith('scripts/'));
  expect(scripts.filter((file) => !file.startsWith('scripts/deploy/'))).toEqual([]);
  expect(scripts).toContain('scripts/deploy/payment-collection.service');
  expect(files.filter((file) => /^dist\/client\/|\.d\.ts$/.test(file))).toEqual([]);
});

test('the installation runs no scripts and does not replace the project’s Node.js', () => {
  for (const member of ['scripts', 'optionalDependencies', 'devDependencies', 'private', 'knip']) {
    expect(manifest).not.toHaveProperty(member);
  }
  // Its dependency reports every installation to another host.
  expect(manifest.dependencies).not.toHaveProperty('swagger-ui-dist');
  if (installed !== 'npm') return;
  expect(readdirSync(join(serverProject, 'node_modules'))).not.toContain('@scarf');
  const names = readdirSync(join(serverProject, 'node_modules')).filter((name) =>
    /^node-(bin-)?(linux|darwin|win)/.test(name),
  );
  expect(names).toEqual([]);
  expect(readdirSync(join(serverProject, 'node_modules/.bin'))).not.toContain('node');
});

test.each(['client', 'server'] as const)('publint reports no problem with the %s', async (which) => {
  const bytes = readFileSync(packed[which]);
  const archive = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages } = await publint({ pack: { tarball: archive }, strict: true });
  expect(messages).toEqual([]);
});

test('every way of importing it has the right types', async () => {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(packed.client)));
  if (!result.types) throw new Error('the package has no types');
  expect(Object.keys(result.entrypoints).sort()).toEqual(
    expect.arrayContaining(['.', './router', './webhooks']),
  );
  expect(result.problems).toEqual([]);
});

describe('with the strictest settings and every declaration checked', () => {
  const STRICT = {
    noEmit: true,
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
  };
  const PROJECTS = {
    'nodenext, on Node': { module: 'nodenext', lib: ['es2022'], types: ['node'] },
    'bundler, with the DOM': {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      types: [],
    },
  };
  const COMPILERS = { 7: 'typescript-7/bin/tsc', 6: 'typescript/bin/tsc' };

  async function compiles(options: object, sources: string[], compiler: string): Promise<string> {
    const config = `tsconfig.${Math.random().toString(36).slice(2)}.json`;
    const all = { compilerOptions: { ...STRICT, ...options }, files: sources };
    writeFileSync(join(project, config), JSON.stringify(all));
    const args = [join(ROOT, 'node_modules', compiler), '--pretty', 'false', '-p', config];
    return (await runs(process.execPath, args, { cwd: project })).out;
  }

  for (const [version, compiler] of Object.entries(COMPILERS)) {
    test.each(Object.entries(PROJECTS))(
      `a shop type-checks by TypeScript ${version}: %s`,
      async (_, options) => {
        expect(await compiles(options, ['shop.ts', 'mistakes.ts'], compiler)).toBe('');
      },
    );
  }

  test('a shop type-checks in CommonJS, and without DOM and Node types', async () => {
    const node = { module: 'nodenext', lib: ['es2022'], types: ['node'] };
    expect(await compiles(node, ['shop.cts'], COMPILERS[7])).toBe('');
    expect(await compiles({ ...node, types: [] }, ['bare.ts'], COMPILERS[7])).toBe('');
  });

  /** What the declarations of tRPC need. */
  const options = { module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] };

  test("a tRPC client takes the router's type from the package", async () => {
    expect(await compiles({ ...options, types: ['node'] }, ['trpc.ts'], COMPILERS[7])).toBe('');
  });

  test('every TypeScript sample of the guides type-checks with the settings of tsc --init', async () => {
    const samples = readdirSync(SAMPLES).filter((name) => name.endsWith('.ts.txt'));
    const sources = samples.map((name) => `sample-${name.replace('.txt', '')}`);
    for (const [at, name] of samples.entries()) cpSync(join(SAMPLES, name), join(project, sources[at] ?? ''));
    const init = { moduleDetection: 'force', noPropertyAccessFromIndexSignature: false, types: ['node'] };
    expect(await compiles({ ...options, ...init }, sources, COMPILERS[7])).toBe('');
  });
});

describe('the server of the package', async () => {
  const receiver = await openReceiver();
  const authority = join(folder, 'ca.pem');
  writeFileSync(authority, receiver.ca);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const sandbox = `http://127.0.0.1:${await freePort()}`;
  const env = {
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: new URL(sandbox).port,
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    NODE_EXTRA_CA_CERTS: authority,
  };
  const command = join(inside, 'dist/bin.js');
  const server = startProgram(command, [], env);
  afterAll(() => Promise.all([endProgram(server), receiver.close()]));
  await ready(server, url);

  const operator = (...args: string[]) =>
    printed(process.execPath, [command, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd: folder,
    });

  test('its command line shows the name of the package', async () => {
    expect(await operator('help')).toContain('\n  payment-collection-service COMMAND [--json]\n');
    expect(JSON.parse(await operator('merchant', 'list', '--json'))).toHaveLength(1);
  });

  test('its pages, OpenAPI document and sandbox are served', async () => {
    const page = await (await fetch(`${url}/backoffice`)).text();
    const [script] = /\/backoffice\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    expect((await fetch(`${url}${script}`)).status).toBe(200);
    for (const address of [
      `${url}/docs`,
      `${url}/docs/assets/swagger-ui.css`,
      `${sandbox}/`,
      `${sandbox}/page.js`,
    ]) {
      expect((await fetch(address)).status, address).toBe(200);
    }
    const answer = await fetch(`${url}/api/v1/openapi.json`);
    const served = (await answer.json()) as Record<string, unknown>;
    const packed = JSON.parse(readFileSync(join(inside, 'openapi/openapi.json'), 'utf8'));
    expect({ ...served, servers: null }).toEqual({ ...packed, servers: null });
  });

  test('its WAL checkpoint thread runs', async () => {
    const program = `
      import Sqlite from 'better-sqlite3';
      import { sql } from 'kysely';
      import { openSqlite } from './dist/db/sqlite/open.js';
      const file = process.argv[1];
      const db = openSqlite(file, { checkpointThread: { failed(error) { throw error; } } });
      await db.unit((tx) => sql\`create table blobs (content blob)\`.execute(tx));
      const other = new Sqlite(file);
      const copied = () => other.pragma('wal_checkpoint(NOOP)')[0].checkpointed;
      // The writer itself starts at 32,000 pages.
      for (let page = 0; page < 20_000 && copied() === 0; page += 60)
        await db.unit((tx) => sql\`insert into blobs values (zeroblob(240000))\`.execute(tx));
      // The thread may still be starting.
      for (let i = 0; i < 500 && copied() === 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
      console.log(copied() > 0);
      await db.close();`;
    const args = ['--input-type=module', '--eval', program, join(folder, 'log.db')];
    expect(await printed(process.execPath, args, { cwd: inside })).toBe('true\n');
  });

  // For the client, Node.js 18 differs only in this.
  const withoutCrypto = ['--no-experimental-global-webcrypto'];
  const ways = [...nodes()].flatMap(([version, node]) =>
    (Number.parseInt(version, 10) > 20 ? [[]] : [[], withoutCrypto]).flatMap((flags) =>
      ['shop.mjs', 'shop.cjs'].map((program) => ({ version, node, flags, program })),
    ),
  );
  const name = 'a shop pays and verifies its webhook: Node $version $flags $program';
  test.each(ways)(name, async ({ node, flags, program }) => {
    const hook = ['--webhook-url', receiver.url];
    const made = JSON.parse(
      await operator('merchant', 'create', '--name', 'Shop', '--domain', 'shop.pt', ...hook, '--json'),
    );
    const shop = (args: string[], stdin: string | Buffer = '') =>
      printed(node, [...flags, program, ...args], { cwd: project, stdin });
    const paid = JSON.parse(await shop(['pay', `${url}/api/v1`, made.apiKey]));
    expect(paid).toMatchObject({
      push: true,
      status: 'paid',
      paymentMethod: 'MBWAY',
      refused: 'INVALID_FIELDS',
    });
    const delivered = await until(
      () => receiver.requests.find(({ body }) => body.includes(paid.transactionId)),
      'the webhook',
    );
    const verified = JSON.parse(
      await shop(['verify', JSON.stringify(delivered.headers), made.webhookSecret], delivered.body),
    );
    expect(verified).toEqual(['payment.success', paid.transactionId, 'BODY_NOT_RAW', 'WRONG_SECRET']);
  });

  const tooOld = [...nodes()].find(([version]) => Number.parseInt(version, 10) < 22);
  test.skipIf(tooOld === undefined)('an older Node.js gets a message with the required version', async () => {
    const { code, err } = await runs(tooOld?.[1] ?? '', [command]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The payment collection service needs Node\.js 22\.19/),
    ]);
  });
});
