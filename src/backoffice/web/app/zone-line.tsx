import { texts, useTexts } from '../lib/i18n.ts';
import { useSession } from '../lib/session.ts';
import css from './shell.module.css';

const TEXTS = texts({
  en: { zone: 'Times in Lisbon time', version: (v: string) => `Version ${v}` },
  pt: { zone: 'Hora de Lisboa', version: (v) => `Versão ${v}` },
});

/** The footer of every page: time zone and version. */
export function ZoneLine() {
  const words = useTexts(TEXTS);
  const { version } = useSession();
  return (
    <footer className={css.foot}>
      <span>{words.zone}</span>
      <span>{words.version(version)}</span>
    </footer>
  );
}
