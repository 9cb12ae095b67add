import { texts, useTexts } from '../lib/i18n.ts';
import { useSessionQuery } from '../lib/session.ts';
import css from './shell.module.css';

const TEXTS = texts({
  en: { test: 'TEST MONEY', text: 'The bank is simulated. No real money is involved.' },
  pt: { test: 'DINHEIRO DE TESTE', text: 'O banco é simulado. Não envolve dinheiro real.' },
});

/** The strip that says, on every page, that the bank is simulated; nothing with a real one. */
export function TestMoney() {
  const words = useTexts(TEXTS);
  // It stands in the frame that says that the service does not answer: asking there again would never end.
  const session = useSessionQuery({ retryOnMount: false });
  if (session.data?.sandbox !== true) return null;
  return (
    <div className={css.test} role="note">
      <strong>{words.test}</strong>
      <span>{words.text}</span>
    </div>
  );
}
