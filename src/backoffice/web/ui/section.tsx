import type { ReactNode } from 'react';
import css from './section.module.css';

interface Props {
  readonly title?: string;
  /** Announces changes to screen readers. */
  readonly live?: boolean;
  readonly children: ReactNode;
}

/** A section of a drawer. */
export function Section({ title, live = false, children }: Props) {
  return (
    <section className={css.section} {...(live && { 'aria-live': 'polite' as const })}>
      {title !== undefined && <h3>{title}</h3>}
      {children}
    </section>
  );
}
