import type { ReactNode } from 'react';
import css from './state-badge.module.css';

export type ToneName = 'good' | 'wait' | 'warn' | 'bad' | 'quiet';

/** A coloured badge for a page-specific status. */
export function Tone({ tone, children }: { readonly tone: ToneName; readonly children: ReactNode }) {
  return <span className={`${css.badge} ${tone === 'quiet' ? '' : css[tone]}`}>{children}</span>;
}
