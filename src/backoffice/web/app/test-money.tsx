import { texts } from '../lib/i18n.ts';
import { useSessionQuery } from '../lib/session.ts';
import css from './shell.module.css';

const TEXTS = texts({
  text: [
    'The bank is simulated. No real money is involved.',
    'O banco é simulado. Não há dinheiro real envolvido.',
  ],
});

/** The banner that marks the simulated bank; renders nothing with a real bank. */
export function TestMoney() {
  // No retry on mount: the error page renders this banner too, and a retry would loop.
  const session = useSessionQuery({ retryOnMount: false });
  if (session.data?.sandbox !== true) return null;
  return (
    <div className={css.test} role="note">
      <strong style={{ letterSpacing: '0.06em' }}>TEST MONEY</strong>
      <span>{TEXTS.text}</span>
    </div>
  );
}
