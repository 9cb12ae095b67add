import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileOf } from '../banks/acquirers.ts';
import type { Settings } from '../config.ts';
import { errorAnchor } from '../http/error-help.ts';
import { REST_PREFIX } from '../http/paths.ts';
import { ACQUIRERS } from '../kernel/acquirer.ts';
import { ERROR_STATUS, type ErrorCode } from '../kernel/errors.ts';
import { type Html, html } from '../kernel/html.ts';
import { LANGUAGES, type Language } from '../kernel/language.ts';
import { AMOUNT_MAX_CENTS, eurosFromCents } from '../kernel/money.ts';
import { renderPage, SEARCH_PATH } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { createDocument, PLACEHOLDER_SERVER } from './openapi/document.ts';
import { EXAMPLE_WEBHOOK_SECRET } from './openapi/examples.ts';
import { contentFile, type Page, readPages } from './pages.ts';
import { eventSections, operationSections } from './reference/sections.ts';
import { createSearch, resultList, type SearchedPage } from './search.ts';

const ROOT = join(import.meta.dirname, '../..');
const TABLE: Record<Language, string> = { en: 'Table', pt: 'Tabela' };

/** The values in the content files and samples; a page shows the values of its service instead. */
const SAMPLE_ORIGIN = 'http://127.0.0.1:8080';
const SAMPLE_BASE_URL = `${SAMPLE_ORIGIN}${REST_PREFIX}`;
const SAMPLE_SANDBOX = 'http://127.0.0.1:8081';
const SAMPLE_PHONE = '911000001';
/** Matches no phone, so that a copied sample sends no push to a stranger. */
const LIVE_PHONE = '9XXXXXXXX';

export interface SiteSettings extends Settings {
  readonly sandboxPage?: string | undefined;
}

export function createSite(settings: SiteSettings) {
  const sandbox = settings.bank === 'sandbox';
  const pages = readPages().filter(({ name }) => sandbox || name !== 'sandbox');
  const forService = (text: string) => adapt(text, settings);
  const document = createDocument(REST_PREFIX);
  const limits = limitTexts(settings);
  const site = new Map<string, string>();
  const searched: SearchedPage[] = [];
  for (const page of pages) {
    for (const language of LANGUAGES) {
      const text = page[language];
      if (text === undefined) continue;
      const directives: Directives = {
        sample: (name) => forService(sampleTabs(name)),
        file: projectFile,
        limit: (name) => limits[name] ?? missing(`limit ${name}`),
        hosts: bankHosts,
        secret: () => EXAMPLE_WEBHOOK_SECRET,
        cards: () => cards(pages, language),
        operations: () => expand(operationSections(document), directives),
        events: () => eventSections(document),
        errors: () => errorCatalogue(language),
      };
      const content = renderMarkdown(expand(forService(text.markdown), directives), TABLE[language]);
      site.set(text.path, renderPage({ page, pages, language, ...content, sandbox }));
      const entry = { path: text.path, title: text.title, body: content.body };
      searched.push({ ...entry, language });
      // A search in Portuguese also finds the pages that exist only in English.
      if (language === 'en' && page.pt === undefined) searched.push({ ...entry, language: 'pt' });
    }
  }
  const search = createSearch(searched);
  const extra = (page: Page, language: Language, body: Html, query = '') =>
    renderPage({ page, pages, language, body: body.markup, sections: [], sandbox, query });
  return {
    pages: site as ReadonlyMap<string, string>,
    search(language: Language, typed: string): string {
      const found = search(language, typed);
      const { noResults, results } = SITE_WORDS[language];
      const count = html`<p role="status">${found.results.length === 0 ? noResults : results(found.results.length)}</p>`;
      return extra(searchPage, language, html`${count}${resultList(found.results)}`, found.query);
    },
    /** The page for an unknown address under /docs. */
    missing: (language: Language) =>
      extra(missingPage, language, html`<p>${SITE_WORDS[language].missing}</p>`),
    /** The page at the root of the service. */
    entry: extra(entryPage, 'en', resultList(SITE_WORDS.en.entry)),
  };
}

/** A page without a content file. */
function pageOf(name: string, en: [string, string], pt: [string, string]): Page {
  const text = ([path, title]: [string, string]) => ({ path, title, summary: title, markdown: '' });
  return { name, group: 'start', en: text(en), pt: text(pt) };
}

const searchPage = pageOf(
  'search',
  [SEARCH_PATH.en, 'Search the documentation'],
  [SEARCH_PATH.pt, 'Pesquisar na documentação'],
);
const missingPage = pageOf('missing', ['/docs', 'Page not found'], ['/docs/pt', 'Página não encontrada']);
const entryPage = pageOf(
  'root',
  ['/docs', 'Payment Collection Service'],
  ['/docs/pt', 'Payment Collection Service'],
);

/** The words of these pages, and the links of the page at the root. */
const SITE_WORDS = {
  en: {
    noResults: 'No section contains all of these words. Try fewer or other words.',
    results: (count: number) => (count === 1 ? '1 section' : `${count} sections`),
    missing:
      'The address is wrong or the page has moved. Search the documentation or choose a page from the menu.',
    entry: [
      {
        href: '/docs',
        title: 'Documentation',
        excerpt: 'Guides and reference for integrators and operators.',
      },
      { href: '/docs/pt', title: 'Documentação', excerpt: 'Os guias em português.' },
      { href: '/backoffice', title: 'Back office', excerpt: 'For merchants, their teams and the operator.' },
    ],
  },
  pt: {
    noResults: 'Nenhuma secção contém todas estas palavras. Experimente menos palavras ou outras.',
    results: (count: number) => (count === 1 ? '1 secção' : `${count} secções`),
    missing:
      'O endereço está errado ou a página mudou. Pesquise na documentação ou escolha uma página no menu.',
  },
};

/** Keeps the `{{#sandbox}}` or the `{{#live}}` parts of a text and inserts the addresses of this service. */
function adapt(text: string, { bank, publicUrl, port, sandboxPage }: SiteSettings): string {
  const kept = bank === 'sandbox' ? 'sandbox' : 'live';
  const chosen = text.replace(
    /\{\{#(sandbox|live)\}\}(\n?)([\s\S]*?)\{\{\/\1\}\}\2/g,
    (_part, kind: string, _newline, body: string) => (kind === kept ? body : ''),
  );
  const baseUrl = publicUrl === null ? null : `${publicUrl}${REST_PREFIX}`;
  if (kept === 'live') {
    return chosen
      .replaceAll(SAMPLE_BASE_URL, baseUrl ?? PLACEHOLDER_SERVER)
      .replaceAll(SAMPLE_PHONE, LIVE_PHONE);
  }
  return chosen
    .replaceAll(SAMPLE_BASE_URL, baseUrl ?? SAMPLE_BASE_URL)
    .replaceAll(SAMPLE_ORIGIN, localOrigin(port))
    .replaceAll(SAMPLE_SANDBOX, sandboxPage?.replace(/\/$/, '') ?? SAMPLE_SANDBOX);
}

/** The address of the service on its own machine. With port 0 the port is not known. */
export function localOrigin(port: number): string {
  return port === 0 ? SAMPLE_ORIGIN : `http://127.0.0.1:${port}`;
}

/** Returns the Markdown that replaces `{{name word}}` in a page, by name. */
type Directives = Readonly<Record<string, (word: string, rest: string) => string>>;

/** Replaces the directives of a Markdown text. The lines of a replacement keep the indentation of the directive. */
function expand(text: string, directives: Directives): string {
  return text.replace(
    /(^ +)?\{\{([a-z]+)(?: ([^ }]+))?(?: ([^}]+))?\}\}/gm,
    (directive, indent = '', name: string, word = '', rest = '') => {
      const made = directives[name]?.(word, rest) ?? missing(directive);
      return indent + made.replaceAll(/\n(?!\n)/g, `\n${indent}`);
    },
  );
}

function missing(what: string): never {
  throw new Error(`The documentation has no ${what}.`);
}

export const SAMPLES_FOLDER = join(import.meta.dirname, 'samples');

/** The endings of the samples, and the language and label of their blocks. */
const SAMPLE_BLOCKS = { '.sh': 'sh curl', '.ts.txt': 'ts', '.js.txt': 'js', '.php': 'php', '.py': 'py' };

/** Returns the sample in each of its languages; the page shows one at a time if scripts run. */
function sampleTabs(name: string): string {
  const blocks = Object.entries(SAMPLE_BLOCKS).flatMap(([ending, info]) => {
    const file = join(SAMPLES_FOLDER, name + ending);
    return existsSync(file) ? [fence(readFileSync(file, 'utf8'), info)] : [];
  });
  if (blocks.length === 0) missing(`sample ${name}`);
  return blocks.length === 1 ? blocks.join('') : `<div class="tabs">\n\n${blocks.join('\n\n')}\n\n</div>`;
}

/** Returns a file of the project, with its path as the label. If the installed package lacks the file, returns only the path. */
function projectFile(path: string, language: string): string {
  const file = join(ROOT, path);
  return existsSync(file)
    ? fence(readFileSync(file, 'utf8'), `${language || 'text'} ${path}`)
    : `\`${path}\``;
}

function fence(code: string, info: string): string {
  return `~~~~ ${info}\n${code.trimEnd()}\n~~~~`;
}

function bankHosts(acquirer: string): string {
  const known = ACQUIRERS.find((name) => name === acquirer) ?? missing(`acquirer ${acquirer}`);
  return profileOf(known)
    .hosts.map(({ host, purpose }) => `- \`${host}\`: ${purpose}`)
    .join('\n');
}

/** The guides, for the entry page. */
function cards(pages: readonly Page[], language: Language): string {
  const guides = pages.filter(({ group }) => group === 'guides');
  const items = guides.map((page) => {
    const { path, title, summary } = page[language] ?? page.en;
    return `<li><a href="${path}">${title}</a><p>${summary}</p></li>`;
  });
  return `<ul class="cards">\n${items.join('\n')}\n</ul>`;
}

/** The error catalogue of a language, with the anchor and the status of each code in its heading. */
function errorCatalogue(language: Language): string {
  return readFileSync(contentFile(language, 'error-catalogue'), 'utf8').replace(
    /^### ([A-Z_]+)$/gm,
    (_heading, code: ErrorCode) =>
      `### \`${code}\` <span class="status">${ERROR_STATUS[code]}</span> {#${errorAnchor(code)}}`,
  );
}

/** Returns the limits that the settings of this service determine, as text for `{{limit NAME}}` in a page. */
function limitTexts(settings: Settings): Readonly<Record<string, string>> {
  return {
    postRateLimit: settings.postRateLimit === 0 ? 'off' : `${settings.postRateLimit} per minute`,
    amountMax: `${eurosFromCents(AMOUNT_MAX_CENTS)} EUR`,
    mbwayWindow: duration(settings.mbwayWindowMs),
    mbwayGrace: duration(settings.mbwayGraceMs),
    mbwayMax: `${settings.mbwayMaxCents / 100} EUR`,
    multibancoDays: settings.multibancoDays === 0 ? 'the same day' : counted(settings.multibancoDays, 'day'),
    multibancoGrace: duration(settings.multibancoGraceMs),
    pending: duration(settings.pendingMs),
  };
}

/** 240000 is `4 minutes`. */
function duration(ms: number): string {
  const units = [
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ] as const;
  const [size, unit] = units.find(([length]) => ms >= length && ms % length === 0) ?? [1000, 'second'];
  return counted(ms / size, unit);
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
