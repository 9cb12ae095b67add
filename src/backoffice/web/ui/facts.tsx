import { Fragment, type ReactNode } from 'react';
import css from './facts.module.css';

/** A list of labels and values; rows with a null value are omitted. */
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
