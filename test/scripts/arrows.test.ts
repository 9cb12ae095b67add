import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';

const CRUISER = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const RULES = resolve('scripts/dependency-cruiser.cjs');

/** The files of a small house that keeps every rule. */
const SOUND = {
  'src/kernel/money.ts': 'export const cents = 1;',
  'src/config.ts':
    'export interface Settings { port: number }\nexport const readConfig = () => ({ port: 1 });',
  'src/deps.ts':
    "import type { Settings } from './config.ts';\nexport interface Deps { settings: Settings }\nexport const none = {};",
  'src/db/database.ts': "export { cents } from '../kernel/money.ts';",
  'src/rpc/trpc.ts': "export { cents } from '../db/database.ts';",
  'src/webhooks/append.ts':
    "import type { Deps } from '../deps.ts';\nexport const append = (deps: Deps) => deps;",
  'src/webhooks/store.ts': 'export const store = 1;',
  'src/banks/port.ts': 'export const port = 1;',
  'src/leads/record.ts': 'export const record = 1;',
  'src/leads/store.ts': "import { sql } from 'kysely';\nexport const query = sql;",
  'src/payments/init.ts':
    "import { append } from '../webhooks/append.ts';\nimport { record } from '../leads/record.ts';\nexport const init = [append, record];",
  'src/payments/router.ts': "export { init as paymentsRouter } from './init.ts';",
  'src/router.ts': "export { paymentsRouter as appRouter } from './payments/router.ts';",
  'src/sandbox/sandbox.ts': "export { cents as startSandbox } from '../kernel/money.ts';",
  'src/http/server.ts': "export { appRouter } from '../router.ts';",
  'src/backoffice/router.ts':
    "export { init } from '../payments/init.ts';\nexport { store } from '../webhooks/store.ts';",
  'src/backoffice/door.ts': "export { init as door } from './router.ts';",
  'src/backoffice/web/page.ts':
    "import type { init } from '../router.ts';\nimport { test } from 'vitest';\nexport const page = (what: typeof init) => [what, test];",
  'src/client/client.ts':
    "import type { init } from '../payments/init.ts';\nexport const client = (what: typeof init) => what;",
  'src/app.ts':
    "export { door } from './backoffice/door.ts';\nexport { appRouter } from './http/server.ts';\nexport { startSandbox } from './sandbox/sandbox.ts';\nexport { readConfig } from './config.ts';",
  'src/main.ts': "export { appRouter } from './app.ts';",
};

/** For each rule a file that breaks it. */
const BREACHES: Record<string, [file: string, line: string]> = {
  'no-cycles': ['src/db/one.ts', "export { two } from './two.ts';\nexport const one = 1;"],
  'kernel-is-the-bottom': [
    'src/kernel/up.ts',
    "import type { Settings } from '../config.ts';\nexport type S = Settings;",
  ],
  'db-knows-the-kernel': ['src/db/up.ts', "export { append } from '../webhooks/append.ts';"],
  'rpc-knows-db-and-kernel': ['src/rpc/up.ts', "export { init } from '../payments/init.ts';"],
  'sandbox-is-a-bank': ['src/sandbox/port.ts', "export { port } from '../banks/port.ts';"],
  'sandbox-is-reached-by-http': [
    'src/banks/near.ts',
    "export { startSandbox } from '../sandbox/sandbox.ts';",
  ],
  'slices-keep-apart': ['src/banks/settle.ts', "export { init } from '../payments/init.ts';"],
  'payments-neighbours': ['src/payments/peek.ts', "export { store } from '../webhooks/store.ts';"],
  'slices-look-down': ['src/payments/up.ts', "export { appRouter } from '../http/server.ts';"],
  'backoffice-is-a-plugin': ['src/http/office.ts', "export { door } from '../backoffice/door.ts';"],
  'backoffice-uses-verbs': ['src/backoffice/up.ts', "export { appRouter } from '../router.ts';"],
  'web-knows-types': [
    'src/backoffice/web/peek.ts',
    "export { init } from '../../payments/init.ts';\nexport { cents } from '../../kernel/money.ts';",
  ],
  'web-stays-in-the-browser': ['src/backoffice/pages.ts', "export { page } from './web/page.ts';"],
  'client-knows-types': ['src/client/heavy.ts', "export { sql } from 'kysely';"],
  'client-stays-outside': ['src/http/client.ts', "export { client } from '../client/client.ts';"],
  'composition-is-the-top': ['src/http/up.ts', "export { readConfig } from '../app.ts';"],
  'app-is-below-main': ['src/app.ts', `${SOUND['src/app.ts']}\nexport { start } from './cli/start.ts';`],
  'deps-are-types': ['src/leads/deps.ts', "export { none } from '../deps.ts';"],
  'settings-are-handed-down': ['src/http/settings.ts', "export { readConfig } from '../config.ts';"],
  'queries-in-stores': ['src/leads/list.ts', "import { sql } from 'kysely';\nexport const list = sql;"],
  'nothing-for-development-only': ['src/http/helper.ts', "export { test } from 'vitest';"],
  'support-is-shared': ['test/support/tool.ts', "export { suite } from '../api/suite.ts';"],
  'scripts-use-support': ['scripts/tool.ts', "export { suite } from '../test/api/suite.ts';"],
  resolvable: ['src/http/gone.ts', "export { gone } from './nowhere.ts';"],
};

async function cruise(files: Record<string, string>): Promise<string[]> {
  const folder = temporaryFolder();
  const packages = { dependencies: { kysely: '1.0.0' }, devDependencies: { vitest: '1.0.0' } };
  const all = {
    'package.json': JSON.stringify({ type: 'module', ...packages }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module: 'nodenext', allowImportingTsExtensions: true },
    }),
    'node_modules/kysely/package.json': '{"name":"kysely","version":"1.0.0","main":"index.js"}',
    'node_modules/kysely/index.js': 'exports.sql = 1;',
    'node_modules/vitest/package.json': '{"name":"vitest","version":"1.0.0","main":"index.js"}',
    'node_modules/vitest/index.js': 'exports.test = 1;',
    ...files,
  };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const folders = ['src', 'scripts', 'test/support'].filter((name) => existsSync(join(folder, name)));
  const args = [CRUISER, '--config', RULES, '--output-type', 'json', ...folders];
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 25 });
  // The exit code counts the violations; the answer is the same on either path.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { violations } = JSON.parse(stdout).summary as {
    violations: { rule: { name: string }; from: string }[];
  };
  return violations.map(({ rule, from }) => `${rule.name} ${from}`);
}

test('a house that keeps the arrow passes, and each breach is found under its own rule', async () => {
  const breaches = Object.fromEntries(Object.values(BREACHES));
  const [sound, broken] = await Promise.all([
    cruise(SOUND),
    cruise({
      ...SOUND,
      ...breaches,
      'src/db/two.ts': "export { one } from './one.ts';\nexport const two = 2;",
      'src/cli/start.ts': 'export const start = 1;',
      'test/api/suite.ts': 'export const suite = 1;',
    }),
  ]);
  expect(sound).toEqual([]);
  for (const [rule, [file]] of Object.entries(BREACHES)) {
    expect(broken).toContain(`${rule} ${file}`);
  }
});
