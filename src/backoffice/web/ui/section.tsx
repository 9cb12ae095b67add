import type { ReactNode } from 'react';
import css from './section.module.css';

interface Props {
  readonly title?: string;
  /** What changes in it is read out. */
  readonly live?: boolean;
  readonly children: ReactNode;
}

/** A part of a drawer, below a line. */
export function Section({ title, live = false, children }: Props) {
  return (
    <section className={css.section} {...(live && { 'aria-live': 'polite' as const })}>
      {title !== undefined && <h3>{title}</h3>}
      {children}
    </section>
  );
}
