import type { ReactNode } from 'react';
import css from './loaded.module.css';

interface Props {
  readonly title: string;
  /** Explains what would appear here, and how. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Omits the frame, for use inside a card. */
  readonly bare?: boolean;
}

/** The empty state of a list. */
export function Empty({ title, children, action, bare = false }: Props) {
  return (
    <div className={bare ? `${css.notice} ${css.bare}` : css.notice}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <div className={css.action}>{action}</div>}
    </div>
  );
}
