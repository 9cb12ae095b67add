import type { Fragment } from './fragment.ts';
import { type Html, html, raw } from './html.ts';
import { type Language, PAGES, type Page, type PageText, TRY_PATH } from './pages.ts';

const WORDS = {
  en: {
    skip: 'Skip to the content',
    name: 'Payment Collection Service',
    menu: 'Documentation',
    open: 'Menu',
    contents: 'On this page',
    groups: { start: null, guides: 'Guides', reference: 'Reference', operate: 'Operating it' },
    tryOut: 'Try it out',
    document: 'OpenAPI document',
    other: 'Português',
    test: 'The bank is a sandbox: nothing here moves real money.',
    testName: 'TEST MONEY',
    copy: 'Copy',
    copied: 'Copied',
    next: 'Next',
    english: null,
  },
  pt: {
    skip: 'Saltar para o conteúdo',
    name: 'Payment Collection Service',
    menu: 'Documentação',
    open: 'Menu',
    contents: 'Nesta página',
    groups: { start: null, guides: 'Guias', reference: 'Referência', operate: 'Operar o serviço' },
    tryOut: 'Experimentar as chamadas',
    document: 'Documento OpenAPI',
    other: 'English',
    test: 'O banco é uma sandbox: nada aqui move dinheiro verdadeiro.',
    testName: 'DINHEIRO DE TESTE',
    copy: 'Copiar',
    copied: 'Copiado',
    next: 'A seguir',
    english: 'em inglês',
  },
} as const;

const OTHER: Record<Language, Language> = { en: 'pt', pt: 'en' };
const LOCALE: Record<Language, string> = { en: 'en', pt: 'pt-PT' };

export interface Frame {
  readonly page: Page;
  readonly language: Language;
  readonly fragment: Fragment;
  /** Whether the bank is the sandbox. */
  readonly sandbox: boolean;
  /** The names of the pages that are there. */
  readonly present: ReadonlySet<string>;
}

/** A whole page: head, menu, content, table of contents. */
export function renderPage(frame: Frame): string {
  const { page, language, fragment, sandbox } = frame;
  const words = WORDS[language];
  const text = textIn(page, language);
  const other = page[OTHER[language]];
  // A page that exists in English alone leads to the Portuguese entry.
  const otherPath = other?.path ?? PAGES[0]?.[OTHER[language]]?.path ?? '/docs';
  return html`<!doctype html>
<html lang="${LOCALE[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${text.summary}">
<title>${text.title} · ${words.name}</title>
<link rel="icon" type="image/svg+xml" href="/docs/site/icon.svg">
<link rel="stylesheet" href="/docs/site/colours.css">
<link rel="stylesheet" href="/docs/site/docs.css">
${other === undefined ? null : html`<link rel="alternate" hreflang="${LOCALE[OTHER[language]]}" href="${other.path}">`}
<script src="/docs/site/docs.js" defer></script>
</head>
<body data-copy="${words.copy}" data-copied="${words.copied}">
<a class="skip" href="#content">${words.skip}</a>
${sandbox ? html`<p class="test-money" role="note"><strong>${words.testName}</strong> ${words.test}</p>` : null}
<header><a class="name" href="${textIn(PAGES[0] ?? page, language).path}">${words.name}</a><a class="language" href="${otherPath}" hreflang="${LOCALE[OTHER[language]]}" lang="${LOCALE[OTHER[language]]}">${words.other}</a></header>
<div class="columns">
${menu(frame)}
<main id="content" tabindex="-1">
<h1>${text.title}</h1>
${contents(fragment, words.contents, 'inline')}
${fragment.body}
${next(frame)}
</main>
${contents(fragment, words.contents, 'aside')}
</div>
</body>
</html>
`.markup;
}

function textIn(page: Page, language: Language): PageText {
  return page[language] ?? page.en;
}

/** Always open where there is room for it. */
function menu({ page: current, language, present }: Frame): Html {
  const words = WORDS[language];
  const groups = Object.entries(words.groups).map(([group, title]) => {
    const entries = PAGES.filter((page) => page.group === group && present.has(page.name)).map((page) => {
      const { path, title: name, menu: short } = textIn(page, language);
      const here = page === current ? html` aria-current="page"` : null;
      const english = page[language] === undefined ? words.english : null;
      const foreign = english === null ? null : html` <span class="foreign">(${english})</span>`;
      const called = (english !== null && page.menuPt) || (short ?? name);
      return html`<li><a href="${path}"${here}>${called}</a>${foreign}</li>`;
    });
    const extra =
      group === 'reference'
        ? [
            html`<li><a href="${TRY_PATH}">${words.tryOut}</a></li>`,
            html`<li><a href="/api/v1/openapi.json">${words.document}</a></li>`,
          ]
        : [];
    return html`${title === null ? null : html`<p class="group">${title}</p>`}<ul>${[...entries, ...extra]}</ul>`;
  });
  // The box holds the state of the menu on a phone, where no script need run for it.
  return html`<div class="menu"><input type="checkbox" id="menu"><label for="menu">${words.open}</label><nav aria-label="${words.menu}">${groups}</nav></div>`;
}

function contents({ sections }: Fragment, title: string, kind: 'inline' | 'aside'): Html | null {
  if (sections.length < 2) return null;
  const links = sections.map(({ id, title: name }) => html`<li><a href="#${id}">${raw(name)}</a></li>`);
  return kind === 'aside'
    ? html`<nav class="contents" aria-label="${title}"><p class="group">${title}</p><ul>${links}</ul></nav>`
    : html`<details class="contents-inline"><summary>${title}</summary><ul>${links}</ul></details>`;
}

/** Guides are read one after the other. */
function next({ page, language, present }: Frame): Html | null {
  if (page.group !== 'guides') return null;
  const following = PAGES.slice(PAGES.indexOf(page) + 1).find(({ name }) => present.has(name));
  if (following === undefined) return null;
  const { path, title: own } = textIn(following, language);
  const title = language === 'pt' && !following.pt ? `${following.menuPt ?? own} (em inglês)` : own;
  return html`<p class="next">${WORDS[language].next}: <a href="${path}">${title}</a></p>`;
}
