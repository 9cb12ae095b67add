import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { TbDeviceDesktop, TbMoon, TbSun } from 'react-icons/tb';
import { type Language, texts, useLanguage } from '../lib/i18n.ts';
import css from './navigation.module.css';

const TEXTS = texts({
  language: ['Language', 'Idioma'],
});
const LANGUAGES: readonly { value: Language; name: string; lang: string }[] = [
  { value: 'pt', name: 'Português', lang: 'pt-PT' },
  { value: 'en', name: 'English', lang: 'en-GB' },
];

/** Switches the language; the choice is stored in this browser. */
export function LanguageSwitch() {
  const { language, setLanguage } = useLanguage();
  return (
    <fieldset className={css.languages} aria-label={TEXTS.language}>
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

const SCHEME_TEXTS = texts({
  scheme: ['Appearance', 'Aspeto'],
  auto: ['Same as device', 'Igual ao dispositivo'],
  light: ['Light', 'Claro'],
  dark: ['Dark', 'Escuro'],
});
const SCHEMES: readonly { value: MantineColorScheme; Icon: typeof TbSun }[] = [
  { value: 'auto', Icon: TbDeviceDesktop },
  { value: 'light', Icon: TbSun },
  { value: 'dark', Icon: TbMoon },
];

/** Switches between the light and the dark theme; the choice is stored in this browser. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={css.languages} aria-label={SCHEME_TEXTS.scheme}>
      {SCHEMES.map(({ value, Icon }) => (
        <button
          key={value}
          type="button"
          className={css.scheme}
          aria-label={SCHEME_TEXTS[value]}
          title={SCHEME_TEXTS[value]}
          aria-pressed={colorScheme === value}
          onClick={() => setColorScheme(value)}
        >
          <Icon size={17} strokeWidth={1.7} aria-hidden />
        </button>
      ))}
    </fieldset>
  );
}
