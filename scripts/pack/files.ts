import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
export const SRC = join(ROOT, 'src');
/** The server's package; the client's package is in its folder `client`. */
export const DIST = join(ROOT, 'dist');
const CLIENT = 'client';
export const CLIENT_DIST = join(DIST, CLIENT);

/** Removes the emitted server. The client's package stays. */
export function removeServer(): void {
  mkdirSync(DIST, { recursive: true });
  for (const name of readdirSync(DIST)) {
    if (name !== CLIENT) rmSync(join(DIST, name), { recursive: true });
  }
}

/** Every file below a folder, as relative paths with slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

export function transpiled(
  file: string,
  target: ts.ScriptTarget,
  module: ts.ModuleKind.ESNext | ts.ModuleKind.NodeNext = ts.ModuleKind.ESNext,
): string {
  const source = readFileSync(file, 'utf8');
  const { outputText } = ts.transpileModule(source, {
    // The extension selects CommonJS; `import()` stays.
    fileName: module === ts.ModuleKind.NodeNext ? file.replace(/\.ts$/, '.cts') : file,
    compilerOptions: {
      module,
      target,
      // Otherwise it would wrap an import whose name is only known at run time.
      rewriteRelativeImportExtensions: source.includes(".ts'"),
      verbatimModuleSyntax: module !== ts.ModuleKind.NodeNext,
    },
  });
  return outputText;
}

/** Writes a file and the folders above it. */
export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
