import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { emitDeclarations } from './declarations.ts';

/**
 * Writes dist/, the package without its manifest: the server and the client as JavaScript, the declarations of the
 * exports, and every file that a module reads. dist/ has the layout of src/. Types are checked by `npm run check`.
 */
const ROOT = join(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const WEB = 'backoffice/web/';
const PAGES = `${WEB}dist/`;
/** Bundled, because its own package reports each install. */
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

// The client as CommonJS too, for backends that use require().
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
    // The extension selects CommonJS; `import()` stays.
    fileName: module === ts.ModuleKind.NodeNext ? file.replace(/\.ts$/, '.cts') : file,
    compilerOptions: {
      module,
      target: file.startsWith('client/') ? ts.ScriptTarget.ES2022 : ts.ScriptTarget.ES2024,
      // Otherwise it would wrap an import whose name is only known at run time.
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
