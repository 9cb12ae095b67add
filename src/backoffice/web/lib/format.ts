import { useMemo } from 'react';
import { type Format, formatOf } from './format-of.ts';
import { type Language, useLanguage } from './i18n.ts';

export type { Format } from './format-of.ts';

const FORMATS: Record<Language, Format> = { en: formatOf('en'), pt: formatOf('pt') };

/** The writing of amounts, numbers and times in the language of the pages. */
export function useFormat(): Format {
  const { language } = useLanguage();
  return useMemo(() => FORMATS[language], [language]);
}
