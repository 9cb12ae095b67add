import { Fragment, type ReactNode } from 'react';
import css from './facts.module.css';

/** Labels with their values, one under the other; a null value leaves its label out. */
export function Facts({
  items,
}: {
  readonly items: readonly (readonly [label: string, value: ReactNode])[];
}) {
  return (
    <div className={css.box}>
      <dl className={css.facts}>
        {items
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([label, value]) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
      </dl>
    </div>
  );
}
