import { useSyncExternalStore } from 'react';
import type { Language } from '../../../kernel/language.ts';
import { COMMON } from './common-texts.ts';

export type { Language } from '../../../kernel/language.ts';

type Text = string | ((...values: never[]) => string) | readonly string[] | Texts;
/** The texts of a page: strings, functions that return strings, and groups of both. */
export interface Texts {
  readonly [name: string]: Text;
}

/** The shape of `T` with other strings. */
type Wording<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer A) => string
      ? (...values: A) => string
      : T[K] extends readonly string[]
        ? readonly string[]
        : Wording<T[K]>;
};

export interface Both<T> {
  readonly en: T;
  readonly pt: Wording<T>;
}

/** Declares the texts of a page, which may replace common words; the Portuguese texts must match the shape of the English ones. */
export const texts = <T extends Texts>({
  en,
  pt,
}: {
  readonly en: T;
  readonly pt: Wording<NoInfer<T>>;
}): Both<T> => ({ en: { ...COMMON.en, ...en }, pt: { ...COMMON.pt, ...pt } });

const KEY = 'backoffice-language';
const listeners = new Set<() => void>();
let language: Language = remembered() ?? (navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en');
announce();

/** Returns the current language, for use outside components. */
export const currentLanguage = (): Language => language;

/** Switches every page to `next` at once, and stores the choice in this browser. */
function setLanguage(next: Language): void {
  language = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  announce();
  for (const listener of listeners) listener();
}

/** The language of the pages and the switch. */
export function useLanguage(): { language: Language; setLanguage: (next: Language) => void } {
  return { language: useSyncExternalStore(subscribe, currentLanguage), setLanguage };
}

/** The texts of `both`, and the words common to all pages, in the language of the pages. */
export function useTexts<T>(both: Both<T>): Words<T> {
  return inLanguage(both, useLanguage().language);
}

/** The texts of `both` in one language, for use outside a component. */
export function inLanguage<T>(both: Both<T>, wanted: Language): Words<T> {
  return both[wanted] as Words<T>;
}

type Words<T> = Wording<T> & Omit<typeof COMMON.en, keyof T>;

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
