import { useTexts } from '../../lib/i18n.ts';
import { ACT_TEXTS } from './act-texts.ts';
import css from './exceptions.module.css';

/** The effects of an action, shown before it is confirmed. */
export function Effects({ lines }: { readonly lines: readonly string[] }) {
  const words = useTexts(ACT_TEXTS);
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
