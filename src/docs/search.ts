import { type Html, html } from '../kernel/html.ts';
import type { Language } from '../kernel/language.ts';

const RESULTS_MAX = 30;
export const QUERY_LENGTH_MAX = 100;
const WORDS_MAX = 8;
const EXCERPT_LENGTH = 160;

export interface SearchedPage {
  readonly path: string;
  readonly language: Language;
  readonly title: string;
  readonly body: string;
}

type Section = ReturnType<typeof sectionsOf>[number];

interface Result {
  readonly href: string;
  readonly title: string;
  readonly excerpt: string;
}

/** Returns a function that finds the sections with every word of a query, sections with a matching title first. */
export function createSearch(
  pages: readonly SearchedPage[],
): (language: Language, query: string) => { query: string; results: Result[] } {
  const sections = pages.flatMap(sectionsOf);
  return (language, typed) => {
    const query = typed.slice(0, QUERY_LENGTH_MAX).trim();
    const words = fold(query).split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
    if (words.length === 0) return { query, results: [] };
    const found = sections
      .filter((section) => section.language === language)
      .map((section) => ({ section, rank: rankOf(section, words) }))
      .filter(({ rank }) => rank > 0)
      .sort((one, other) => other.rank - one.rank)
      .slice(0, RESULTS_MAX);
    const results = found.map(({ section }) => ({
      href: section.href,
      title: section.title === section.page ? section.page : `${section.page}: ${section.title}`,
      excerpt: excerptOf(section, words[0] ?? ''),
    }));
    return { query, results };
  };
}

export function resultList(results: readonly Result[]): Html {
  const items = results.map(
    ({ href, title, excerpt }) => html`<li><a href="${href}">${title}</a><p>${excerpt}</p></li>`,
  );
  return html`<ul class="cards">${items}</ul>`;
}

/** Returns the rank of a section: 0 when a word is missing, otherwise 1 plus the number of words in its title. */
function rankOf({ folded: { title, text } }: Section, words: readonly string[]): number {
  if (!words.every((word) => text.includes(word) || title.includes(word))) return 0;
  return 1 + words.filter((word) => title.includes(word)).length;
}

/** Splits a page at its headings of the second and third level. */
function sectionsOf({ path, language, title: page, body }: SearchedPage) {
  return body.split(/(?=<h[23][ >])/).map((part) => {
    const [, id, heading] = /^<h[23] id="([^"]*)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? [];
    const title = heading === undefined ? page : textOf(heading);
    const text = textOf(heading === undefined ? part : part.slice(part.indexOf('</h') + '</h2>'.length));
    /** Without case and accents. */
    const folded = { title: fold(`${page} ${title}`), text: fold(text) };
    return { language, page, title, text, folded, href: id === undefined ? path : `${path}#${id}` };
  });
}

/** A tag in running text, around which there is no space. */
const INLINE_TAG = /<\/?(?:a|code|em|q|span|strong)(?: [^>]*)?>/g;

/** The plain text of the HTML that the Markdown renderer produces. */
function textOf(markup: string): string {
  return markup
    .replace(INLINE_TAG, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_entity, name: keyof typeof ENTITIES) => ENTITIES[name])
    .replace(/\s+/g, ' ')
    .trim();
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Without case and accents, with the same number of characters as the text. */
function fold(text: string): string {
  return [...text].map((character) => character.normalize('NFD')[0]?.toLowerCase() ?? character).join('');
}

function excerptOf({ text, folded }: Section, word: string): string {
  const near = Math.max(0, folded.text.indexOf(word) - EXCERPT_LENGTH / 4);
  const start = near === 0 ? 0 : text.indexOf(' ', near) + 1;
  const excerpt = text.slice(start, start + EXCERPT_LENGTH).trim();
  return `${start > 0 ? '…' : ''}${excerpt}${start + EXCERPT_LENGTH < text.length ? '…' : ''}`;
}
