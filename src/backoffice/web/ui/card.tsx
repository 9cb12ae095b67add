import { Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import css from './card.module.css';

interface Props {
  readonly title?: string;
  /** Content to the right of the title. */
  readonly actions?: ReactNode;
  /** The list behind the card; the title becomes a link, and a click anywhere on the card follows it. */
  readonly href?: string | undefined;
  /** Omits the padding, for a full-width table. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A titled section of a page. */
export function Card({ title, actions, href, flush = false, children }: Props) {
  const id = useId();
  return (
    <section
      className={flush ? `${css.card} ${css.flush}` : css.card}
      {...(title !== undefined && { 'aria-labelledby': id })}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className={css.head}>
          {title !== undefined && (
            <Text component="h2" id={id} fz="1.02rem" fw={640}>
              {href === undefined ? (
                title
              ) : (
                <Link href={href} className={css.over}>
                  {title}
                </Link>
              )}
            </Text>
          )}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
