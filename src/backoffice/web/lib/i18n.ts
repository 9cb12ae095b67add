import { useSyncExternalStore } from 'react';
import type { Language } from '../../../kernel/language.ts';
import { COMMON_TEXTS } from './common-texts.ts';

export type { Language } from '../../../kernel/language.ts';

type Text = string | readonly string[] | ((...values: never[]) => string);

/** Texts by name, each in English and in Portuguese, and groups of texts. */
type Texts<T> = {
  readonly [K in keyof T]: T[K] extends Text ? readonly [en: T[K], pt: NoInfer<InOne<T[K]>>] : Texts<T[K]>;
};

/** The same texts in one language. */
type InOne<T> = T extends string
  ? string
  : T extends (...values: infer A) => string
    ? (...values: A) => string
    : T extends readonly string[]
      ? readonly string[]
      : { readonly [K in keyof T]: InOne<T[K]> };

type Both<W> = Readonly<Record<Language, W>>;

const common = inBoth(COMMON_TEXTS);

/** The words common to all pages. */
export const COMMON = inLanguage(common);

type WithCommon<W> = W & Omit<typeof COMMON, keyof W>;

/**
 * Declares the texts of a page, which may replace common words. A component reads them while it renders, because they are in the
 * language of that moment; `App` renders every page again when the language changes.
 */
export function texts<T>(given: Texts<T>): WithCommon<InOne<T>> {
  const { en, pt } = inBoth(given);
  return inLanguage<WithCommon<InOne<T>>>({
    en: Object.assign({}, common.en, en),
    pt: Object.assign({}, common.pt, pt),
  });
}

/** Returns an object whose members read as those of the current language. Spread or listed, it is in English. */
export function inLanguage<W>(both: Both<W>): W {
  return new Proxy(Object(both.en), { get: (_en, name) => Reflect.get(Object(both[language]), name) });
}

function inBoth<T>(given: Texts<T>): Both<InOne<T>> {
  return { en: inOne(given, 0), pt: inOne(given, 1) };
}

function inOne<T>(given: Texts<T>, place: 0 | 1): InOne<T> {
  const entries = Object.entries<readonly unknown[] | Texts<unknown>>(given);
  const chosen = entries.map(([name, text]) => [
    name,
    Array.isArray(text) ? text[place] : inOne(text, place),
  ]);
  return Object.fromEntries(chosen);
}

/** Where the guides of a language are. */
export const DOCS_PATH: Both<string> = { en: '/docs', pt: '/docs/pt' };

const KEY = 'backoffice-language';
const listeners = new Set<() => void>();
let language: Language = remembered() ?? (navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en');
announce();
// Each tab sets the language of the user's mails to its own, so that two languages would alternate.
window.addEventListener('storage', ({ key }) => {
  if (key === KEY) show(remembered() ?? language);
});

/** Returns the language of the pages at this moment. */
export const currentLanguage = (): Language => language;

/** Switches every page and tab to `next` at once, and stores the choice in this browser. */
function setLanguage(next: Language): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  show(next);
}

function show(next: Language): void {
  language = next;
  announce();
  for (const listener of listeners) listener();
}

/** The language of the pages and the switch; renders the component again when it changes. */
export function useLanguage(): { language: Language; setLanguage: (next: Language) => void } {
  return { language: useSyncExternalStore(subscribe, currentLanguage), setLanguage };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  document.documentElement.lang = language === 'pt' ? 'pt-PT' : 'en-GB';
}

function remembered(): Language | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'pt' || kept === 'en' ? kept : null;
  } catch {
    return null;
  }
}
