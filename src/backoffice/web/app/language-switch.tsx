import { type Language, texts, useLanguage, useTexts } from '../lib/i18n.ts';
import css from './navigation.module.css';

const TEXTS = texts({ en: { language: 'Language' }, pt: { language: 'Idioma' } });
const LANGUAGES: readonly { value: Language; name: string; lang: string }[] = [
  { value: 'pt', name: 'Português', lang: 'pt-PT' },
  { value: 'en', name: 'English', lang: 'en-GB' },
];

/** Switches the language; the choice is stored in this browser. */
export function LanguageSwitch() {
  const words = useTexts(TEXTS);
  const { language, setLanguage } = useLanguage();
  return (
    <fieldset className={css.languages} aria-label={words.language}>
      {LANGUAGES.map(({ value, name, lang }) => (
        <button
          key={value}
          type="button"
          lang={lang}
          className={css.language}
          aria-pressed={language === value}
          onClick={() => setLanguage(value)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
