import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { emitDeclarations } from './declarations.ts';

/**
 * Writes dist/, what the package holds besides its manifest: the server and the client as JavaScript, the declarations of
 * what can be imported, and every file that is read beside its module. dist/ has the shape of src/, so that a module
 * finds from the one what it finds from the other. The types are not checked here: `npm run check` does.
 */
const ROOT = join(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const WEB = 'backoffice/web/';
const PAGES = `${WEB}dist/`;
/** Taken along, because their own package reports each install to its makers. */
const SWAGGER = join(ROOT, 'node_modules/swagger-ui-dist');
const SWAGGER_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
];

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(SRC.length + 1)
      .replaceAll('\\', '/'),
  );
const modules = files.filter((file) => file.endsWith('.ts') && !file.startsWith(WEB));
const besides = files.filter(
  (file) => !file.endsWith('.ts') && (!file.startsWith(WEB) || file.startsWith(PAGES)),
);

if (!files.includes(`${PAGES}index.html`)) {
  throw new Error('the pages of the back office are not built: run `npm run build:web` first');
}

rmSync(DIST, { recursive: true, force: true });
for (const file of modules) write(file.replace(/\.ts$/, '.js'), transpiled(file, ts.ModuleKind.ESNext));
for (const file of besides) cpSync(join(SRC, file), join(DIST, file));
for (const file of SWAGGER_FILES) cpSync(join(SWAGGER, file), join(DIST, 'docs/swagger', file));

// The client once more for those who require() it: many a shop's backend is CommonJS.
for (const file of modules.filter((name) => name.startsWith('client/'))) {
  write(`commonjs/${file.replace(/\.ts$/, '.js')}`, transpiled(file, ts.ModuleKind.NodeNext));
}
write('commonjs/package.json', `${JSON.stringify({ type: 'commonjs' })}\n`);

for (const [file, text] of await emitDeclarations()) {
  write(`client/${file}`, text);
  write(`commonjs/client/${file}`, text);
}

function transpiled(file: string, module: ts.ModuleKind): string {
  const source = readFileSync(join(SRC, file), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    // The extension, not the folder, tells this function that CommonJS is wanted; `import()` stays what it is.
    fileName: module === ts.ModuleKind.NodeNext ? file.replace(/\.ts$/, '.cts') : file,
    compilerOptions: {
      module,
      target: file.startsWith('client/') ? ts.ScriptTarget.ES2022 : ts.ScriptTarget.ES2024,
      // Where nothing is to be rewritten it would still wrap an import whose name is only known at run time.
      rewriteRelativeImportExtensions: source.includes(".ts'"),
      verbatimModuleSyntax: module !== ts.ModuleKind.NodeNext,
    },
  });
  return outputText;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  writeFileSync(join(DIST, file), text);
}
