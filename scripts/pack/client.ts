import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { emitDeclarations } from './declarations.ts';
import { CLIENT_DIST, filesBelow, SRC, transpiled, write } from './files.ts';

/**
 * `npm run build:client`: writes dist/client, the client's package. It has no dependencies and contains ES modules and, for
 * backends that use require(), CommonJS.
 */
const CLIENT = join(SRC, 'client');
const COMMONJS = 'commonjs';
/** The exports of the package, each with the module that it loads. */
const EXPORTS = { '.': 'client', './webhooks': 'webhooks', './router': 'router' };

rmSync(CLIENT_DIST, { recursive: true, force: true });
for (const file of filesBelow(CLIENT).filter((name) => name.endsWith('.ts'))) {
  const source = join(CLIENT, file);
  const script = file.replace(/\.ts$/, '.js');
  write(join(CLIENT_DIST, script), transpiled(source, ts.ScriptTarget.ES2022));
  const commonjs = transpiled(source, ts.ScriptTarget.ES2022, ts.ModuleKind.NodeNext);
  write(join(CLIENT_DIST, COMMONJS, script), commonjs);
}
for (const [file, text] of await emitDeclarations()) {
  write(join(CLIENT_DIST, file), text);
  write(join(CLIENT_DIST, COMMONJS, file), text);
}
writeJson('package.json', manifest());
writeJson(join(COMMONJS, 'package.json'), { type: 'commonjs' });
for (const name of ['LICENSE', 'src/client/README.md']) {
  cpSync(join(SRC, '..', name), join(CLIENT_DIST, name.split('/').at(-1) ?? name));
}

function manifest(): object {
  const root = JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8'));
  const entry = (folder: string, module: string) => ({
    types: `${folder}${module}.d.ts`,
    default: `${folder}${module}.js`,
  });
  const exported = Object.entries(EXPORTS).map(([name, module]) => [
    name,
    { import: entry('./', module), require: entry(`./${COMMONJS}/`, module) },
  ]);
  const typings = Object.values(EXPORTS).map((module) => [module, [`./${COMMONJS}/${module}.d.ts`]]);
  return {
    name: 'payment-collection-client',
    version: root.version,
    description: 'Client and webhook verification for the Payment Collection Service',
    license: root.license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=18' },
    main: `./${COMMONJS}/client.js`,
    types: `./${COMMONJS}/client.d.ts`,
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    typesVersions: { '*': Object.fromEntries(typings) },
    // Only the router's type needs this package, and every tRPC client already depends on it.
    peerDependencies: { '@trpc/server': `^${root.dependencies['@trpc/server']}` },
    peerDependenciesMeta: { '@trpc/server': { optional: true } },
  };
}

function writeJson(file: string, value: object): void {
  write(join(CLIENT_DIST, file), `${JSON.stringify(value, null, 2)}\n`);
}
