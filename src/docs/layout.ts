import { type Html, html, raw } from '../kernel/html.ts';
import type { Language } from '../kernel/language.ts';
import type { Section } from './markdown.ts';
import type { Page, PageText } from './pages.ts';
import { QUERY_LENGTH_MAX } from './search.ts';

/** The page with Swagger UI. */
export const TRY_PATH = '/docs/try';
/** The page with the results of a search, by language. */
export const SEARCH_PATH: Readonly<Record<Language, string>> = {
  en: '/docs/search',
  pt: '/docs/pt/pesquisa',
};
const NAME = 'Payment Collection Service';

const WORDS = {
  en: {
    skip: 'Skip to content',
    menu: 'Documentation',
    open: 'Menu',
    contents: 'On this page',
    groups: { start: null, guides: 'Guides', reference: 'Reference', operate: 'Operate' },
    tryOut: 'Try the API',
    document: 'OpenAPI document',
    other: 'Português',
    search: 'Search',
    test: 'The bank is a sandbox. No real money moves.',
    copy: 'Copy',
    copied: 'Copied',
    next: 'Next',
  },
  pt: {
    skip: 'Saltar para o conteúdo',
    menu: 'Documentação',
    open: 'Menu',
    contents: 'Nesta página',
    groups: { start: null, guides: 'Guias', reference: 'Referência', operate: 'Operação' },
    tryOut: 'Experimentar a API',
    document: 'Documento OpenAPI',
    other: 'English',
    search: 'Pesquisar',
    test: 'O banco é uma sandbox. Não há movimentos de dinheiro real.',
    copy: 'Copiar',
    copied: 'Copiado',
    next: 'Seguinte',
  },
} as const;

const LOCALE: Record<Language, string> = { en: 'en', pt: 'pt-PT' };

export interface Frame {
  readonly page: Page;
  readonly pages: readonly Page[];
  readonly language: Language;
  /** The content, as HTML. */
  readonly body: string;
  readonly sections: readonly Section[];
  readonly sandbox: boolean;
  /** The search query, shown in the search field. */
  readonly query?: string;
}

export function renderPage(frame: Frame): string {
  const { page, pages, language, body, sections, sandbox, query = '' } = frame;
  const words = WORDS[language];
  const { title, summary } = textIn(page, language);
  const otherLanguage = language === 'en' ? 'pt' : 'en';
  const entry = pages[0] ?? page;
  const other = page[otherLanguage] ?? textIn(entry, otherLanguage);
  return html`<!doctype html>
<html lang="${LOCALE[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title} · ${NAME}</title>
<link rel="icon" type="image/svg+xml" href="/docs/site/icon.svg">
<link rel="stylesheet" href="/docs/site/colours.css">
<link rel="stylesheet" href="/docs/site/docs.css">
<script src="/docs/site/docs.js" defer></script>
</head>
<body data-copy="${words.copy}" data-copied="${words.copied}">
<a class="skip" href="#content">${words.skip}</a>
${sandbox ? html`<p class="test-money" role="note"><strong>TEST MONEY</strong> ${words.test}</p>` : null}
<header><a class="name" href="${textIn(entry, language).path}">${NAME}</a><form role="search" action="${SEARCH_PATH[language]}"><input type="search" name="q" value="${query}" maxlength="${String(QUERY_LENGTH_MAX)}" required placeholder="${words.search}" aria-label="${words.search}"></form><a class="language" href="${other.path}" hreflang="${LOCALE[otherLanguage]}" lang="${LOCALE[otherLanguage]}">${words.other}</a></header>
<div class="columns">
${menu(frame)}
<main id="content" class="${page.group}" tabindex="-1">
<h1>${title}</h1>
${contents(sections, words.contents, 'inline')}
${raw(body)}
${next(frame)}
</main>
${contents(sections, words.contents, 'aside')}
</div>
</body>
</html>
`.markup;
}

function textIn(page: Page, language: Language): PageText {
  return page[language] ?? page.en;
}

/** The title in the menu; a page that exists only in English is marked in the Portuguese menu. */
function menuTitle(page: Page, language: Language): string {
  if (language === 'pt' && page.pt === undefined) return `${page.en.menuPt ?? page.en.title} (em inglês)`;
  const { menu: short, title } = textIn(page, language);
  return short ?? title;
}

function menu({ page: current, pages, language, sandbox }: Frame): Html {
  const words = WORDS[language];
  const groups = Object.entries(words.groups).map(([group, title]) => {
    const entries = pages
      .filter((page) => page.group === group)
      .map((page) => {
        const here = page === current ? html` aria-current="page"` : null;
        return html`<li><a href="${textIn(page, language).path}"${here}>${menuTitle(page, language)}</a></li>`;
      });
    const extra = [
      ...(sandbox ? [html`<li><a href="${TRY_PATH}">${words.tryOut}</a></li>`] : []),
      html`<li><a href="/api/v1/openapi.json">${words.document}</a></li>`,
    ];
    const list = html`<ul>${[...entries, ...(group === 'reference' ? extra : [])]}</ul>`;
    return html`${title === null ? null : html`<p class="group">${title}</p>`}${list}`;
  });
  // The checkbox holds the state of the menu on a phone, so that it opens without scripts.
  return html`<div class="menu"><input type="checkbox" id="menu"><label for="menu">${words.open}</label><nav aria-label="${words.menu}">${groups}</nav></div>`;
}

function contents(sections: readonly Section[], title: string, kind: 'inline' | 'aside'): Html | null {
  if (sections.length < 2) return null;
  const links = sections.map(({ id, title: name }) => html`<li><a href="#${id}">${raw(name)}</a></li>`);
  return kind === 'aside'
    ? html`<nav class="contents" aria-label="${title}"><p class="group">${title}</p><ul>${links}</ul></nav>`
    : html`<details class="contents-inline"><summary>${title}</summary><ul>${links}</ul></details>`;
}

function next({ page, pages, language }: Frame): Html | null {
  const following = page.group === 'guides' ? pages[pages.indexOf(page) + 1] : undefined;
  if (following === undefined) return null;
  const link = html`<a href="${textIn(following, language).path}">${menuTitle(following, language)}</a>`;
  return html`<p class="next">${WORDS[language].next}: ${link}</p>`;
}

/** Returns the page with Swagger UI, which calls the API of a service with the sandbox. */
export function tryPage(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the API · ${NAME}</title>
<link rel="icon" type="image/svg+xml" href="/docs/site/icon.svg">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/site/try.css">
</head>
<body>
<p class="test-money" role="note"><strong>TEST MONEY</strong> ${WORDS.en.test} Use the API key that the service printed when it started.</p>
<p class="back"><a href="/docs">Documentation</a> <a href="/docs/reference">Reference</a></p>
<main id="reference">
<p class="loading">Loading. The OpenAPI document is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
</main>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/site/try.js"></script>
</body>
</html>
`.markup;
}
