import { type ReactNode, useId } from 'react';
import css from './card.module.css';

interface Props {
  readonly title?: string;
  /** At the right of the title. */
  readonly actions?: ReactNode;
  /** Without an inner margin: for a table that reaches the edges. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A white sheet with a heading: what belongs together on a page. */
export function Card({ title, actions, flush = false, children }: Props) {
  const id = useId();
  return (
    <section
      className={flush ? `${css.card} ${css.flush}` : css.card}
      {...(title !== undefined && { 'aria-labelledby': id })}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className={css.head}>
          {title !== undefined && (
            <h2 id={id} className={css.title}>
              {title}
            </h2>
          )}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
