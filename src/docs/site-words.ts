import { SEARCH_PATH } from './layout.ts';
import type { Page } from './pages.ts';

/** A page without a content file. */
function pageOf(name: string, en: [string, string], pt: [string, string]): Page {
  const text = ([path, title]: [string, string]) => ({ path, title, summary: title, markdown: '' });
  return { name, group: 'start', en: text(en), pt: text(pt) };
}

export const searchPage = pageOf(
  'search',
  [SEARCH_PATH.en, 'Search the documentation'],
  [SEARCH_PATH.pt, 'Pesquisar na documentação'],
);
export const missingPage = pageOf(
  'missing',
  ['/docs', 'Page not found'],
  ['/docs/pt', 'Página não encontrada'],
);
export const entryPage = pageOf(
  'root',
  ['/docs', 'Payment Collection Service'],
  ['/docs/pt', 'Payment Collection Service'],
);

/** The words of these pages, and the links of the page at the root. */
export const SITE_WORDS = {
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
