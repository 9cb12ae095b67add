import { cpSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { DIST, filesBelow, removeServer, SRC, transpiled, write } from './files.ts';

/**
 * Writes dist/, the server's package without its manifest: the modules as JavaScript and every file that they read. dist/
 * has the layout of src/ without the client, which is a package itself. Types are checked by `npm run check`.
 */
const CLIENT = 'client/';
const WEB = 'backoffice/web/';
const PAGES = `${WEB}dist/`;
/** Bundled, because its own package reports each install. */
const SWAGGER = join(SRC, '../node_modules/swagger-ui-dist');
const SWAGGER_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
];

const files = filesBelow(SRC).filter((file) => !file.startsWith(CLIENT));
const modules = files.filter((file) => file.endsWith('.ts') && !file.startsWith(WEB));
const besides = files.filter(
  (file) => !file.endsWith('.ts') && (!file.startsWith(WEB) || file.startsWith(PAGES)),
);

if (!files.includes(`${PAGES}index.html`)) {
  throw new Error('the pages of the back office are not built: run `npm run build:web` first');
}

removeServer();
for (const file of modules) {
  write(join(DIST, file.replace(/\.ts$/, '.js')), transpiled(join(SRC, file), ts.ScriptTarget.ES2024));
}
for (const file of besides) cpSync(join(SRC, file), join(DIST, file));
for (const file of SWAGGER_FILES) cpSync(join(SWAGGER, file), join(DIST, 'docs/swagger', file));
