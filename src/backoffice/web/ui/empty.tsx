import type { ReactNode } from 'react';
import css from './loaded.module.css';

interface Props {
  readonly title: string;
  /** What would be here and how it comes about. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Without a frame of its own: inside a card. */
  readonly bare?: boolean;
}

/** A place where nothing is yet, and what to do about it. */
export function Empty({ title, children, action, bare = false }: Props) {
  return (
    <div className={bare ? `${css.notice} ${css.bare}` : css.notice}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <div className={css.action}>{action}</div>}
    </div>
  );
}
