import { zoneAt } from '../lib/format-of.ts';
import { texts, useTexts } from '../lib/i18n.ts';
import { useSession } from '../lib/session.ts';
import css from './shell.module.css';

const TEXTS = texts({
  en: { zone: (name: string) => `Times are Lisbon time (${name})`, version: (v: string) => `Version ${v}` },
  pt: { zone: (name) => `As horas são de Lisboa (${name})`, version: (v) => `Versão ${v}` },
});

/** The foot of every page: which clock its times are read from. */
export function ZoneLine() {
  const words = useTexts(TEXTS);
  const { version } = useSession();
  return (
    <footer className={css.foot}>
      <span>{words.zone(zoneAt(Date.now()))}</span>
      <span>{words.version(version)}</span>
    </footer>
  );
}
