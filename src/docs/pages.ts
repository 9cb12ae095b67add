import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../kernel/language.ts';

const CONTENT = join(import.meta.dirname, 'content');

/** The names of the pages by menu group, in the order of the menu. Each is a Markdown file per language. */
const PAGE_NAMES = {
  start: ['entry'],
  guides: [
    'first-payment',
    'mbway',
    'multibanco',
    'checkout',
    'webhooks',
    'refunds',
    'mail',
    'errors',
    'sandbox',
    'going-live',
  ],
  reference: ['reference'],
  operate: ['running-it', 'failover', 'acquirers', 'accounting', 'settings'],
} as const;

export type Group = keyof typeof PAGE_NAMES;

/** One page in one language: the front matter of its file, and its Markdown. */
export interface PageText {
  readonly path: string;
  readonly title: string;
  /** For search engines and for the cards of the entry page. */
  readonly summary: string;
  /** The title in the menu, if shorter. */
  readonly menu?: string;
  /** The title in the Portuguese menu, for a page that exists only in English. */
  readonly menuPt?: string;
  readonly markdown: string;
}

export interface Page {
  readonly name: string;
  readonly group: Group;
  readonly en: PageText;
  readonly pt?: PageText;
}

export function readPages(): Page[] {
  return Object.entries(PAGE_NAMES).flatMap(([group, names]) =>
    names.map((name) => ({
      name,
      group: group as Group,
      en: readPage(contentFile('en', name)),
      ...(existsSync(contentFile('pt', name)) && { pt: readPage(contentFile('pt', name)) }),
    })),
  );
}

/** The file of a page or of an included text. */
export function contentFile(language: Language, name: string): string {
  return join(CONTENT, language, `${name}.md`);
}

function readPage(file: string): PageText {
  const [, front = '', markdown = ''] =
    /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
  const entries = front.split('\n').map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  const { path, title, summary, ...menus } = Object.fromEntries(entries);
  if (!path || !title || !summary)
    throw new Error(`${file}: the front matter needs path, title and summary.`);
  return { path, title, summary, ...menus, markdown };
}
