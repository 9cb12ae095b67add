import { texts, useTexts } from '../lib/i18n.ts';
import css from './effects.module.css';

const TEXTS = texts({ en: { effects: 'What will happen' }, pt: { effects: 'O que vai acontecer' } });

/** The effects of an action, shown before it is confirmed. */
export function Effects({ lines }: { readonly lines: readonly string[] }) {
  const words = useTexts(TEXTS);
  return (
    <div className={css.effects}>
      <h3>{words.effects}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
