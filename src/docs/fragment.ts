import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_LANGUAGES, type CodeLanguage, highlight } from './highlight.ts';
import { type Html, html, raw } from './html.ts';
import type { Language } from './pages.ts';
import { codeBlock } from './samples.ts';

const CONTENT = join(import.meta.dirname, 'content');
const ROOT = join(import.meta.dirname, '../..');

/** What a line of its own such as `{{sample init}}` stands for; it is given the words after its name. */
export type Directives = Readonly<Record<string, (...words: string[]) => Html>>;

/** The heading of a section, for the table of contents. */
export interface Section {
  readonly id: string;
  readonly title: string;
}

export interface Fragment {
  readonly body: Html;
  readonly sections: readonly Section[];
}

/** Whether a page has been written in this language. */
export function hasContent(language: Language, name: string): boolean {
  return existsSync(fileOf(language, name));
}

/**
 * Reads the content of a page: HTML in which lines of their own are directives, blocks of code are coloured and tables can be
 * scrolled. Throws on a directive that nobody knows.
 */
export function readFragment(language: Language, name: string, directives: Directives): Fragment {
  const all: Directives = { ...directives, file: projectFile };
  const text = readFileSync(fileOf(language, name), 'utf8').replace(
    /^\{\{([a-z-]+)((?: [^ }]+)*)\}\}$/gm,
    (line, directive: string, words: string) => {
      const made = all[directive];
      if (made === undefined) throw new Error(`${language}/${name}: nobody knows ${line}`);
      return made(...words.trim().split(' ')).markup;
    },
  );
  const coloured = text.replace(
    /<pre data-lang="([a-z]+)"><code>([\s\S]*?)<\/code><\/pre>/g,
    (_block, lang: string, code: string) => block(code, lang),
  );
  // A table wider than a phone is scrolled by itself, not with the page.
  const body = coloured.replace(
    /<table[\s\S]*?<\/table>/g,
    (table) =>
      `<div class="scroll" tabindex="0" role="region" aria-label="${TABLE[language]}">${table}</div>`,
  );
  const sections = [...body.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = '', title = '']) => ({
    id,
    title: title.replace(/<[^>]+>/g, ''),
  }));
  return { body: raw(body), sections };
}

const TABLE: Record<Language, string> = { en: 'Table', pt: 'Tabela' };
const LABELS: Partial<Record<CodeLanguage, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  php: 'PHP',
  py: 'Python',
  json: 'JSON',
};

function fileOf(language: Language, name: string): string {
  return join(CONTENT, language, `${name}.html`);
}

function languageOf(name: string): CodeLanguage {
  return CODE_LANGUAGES.find((known) => known === name) ?? 'text';
}

function block(escaped: string, lang: string): string {
  const language = languageOf(lang);
  const code = escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  const label = LABELS[language];
  if (label !== undefined) return codeBlock(code, language, label).markup;
  return html`<figure class="code"><pre tabindex="0"><code>${highlight(code.trimEnd(), language)}</code></pre></figure>`
    .markup;
}

/** A file of the project as it is, under its name; an installed package may not have it, and then the name must do. */
function projectFile(path = '', lang = 'text'): Html {
  const file = join(ROOT, path);
  if (!existsSync(file)) return html`<p><code>${path}</code></p>`;
  return codeBlock(readFileSync(file, 'utf8'), languageOf(lang), path);
}
