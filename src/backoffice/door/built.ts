import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** One file of the built pages, with what a compressor made of it beforehand. */
export interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gz: Buffer | null;
}

/** The built pages: the one document, and the files that it loads by their paths below /backoffice/. */
export interface Built {
  readonly html: string;
  readonly files: ReadonlyMap<string, BuiltFile>;
}

const FOLDER = join(import.meta.dirname, '../web/dist');

/** What a page may load; whatever else the build leaves in its folder is not shown. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The files that `npm run build:web` made, read into memory once; null when there are none. */
export function readBuilt(folder = FOLDER): Built | null {
  const html = readIfThere(join(folder, 'index.html'));
  if (html === null) return null;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.flatMap((name): [string, BuiltFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const path = join(folder, name);
    const plain = readFileSync(path);
    return [
      [
        name.replaceAll('\\', '/'),
        { type, plain, br: readIfThere(`${path}.br`), gz: readIfThere(`${path}.gz`) },
      ],
    ];
  });
  return { html: html.toString('utf8'), files: new Map(files) };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
