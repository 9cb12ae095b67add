import { texts } from '../lib/i18n.ts';
import css from './effects.module.css';

const TEXTS = texts({
  effects: ['What will happen', 'O que vai acontecer'],
});

interface Props {
  readonly lines: readonly string[];
  /** Without the heading, where there are no fields above. */
  readonly bare?: boolean;
}

/** The effects of an action, shown before it is confirmed. */
export function Effects({ lines, bare = false }: Props) {
  return (
    <div className={css.effects}>
      {!bare && <h3>{TEXTS.effects}</h3>}
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
