import type { ReactNode } from 'react';
import css from './figures.module.css';

interface Props {
  readonly items: readonly (readonly [label: string, figure: ReactNode])[];
  readonly label?: string;
  readonly heading?: ReactNode;
  readonly children?: ReactNode;
}

/** A box with large figures in a row, between a heading and further content. */
export function Figures({ items, label, heading, children }: Props) {
  return (
    <section className={css.box} aria-label={label}>
      {heading}
      <dl className={css.figures}>
        {items.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}
