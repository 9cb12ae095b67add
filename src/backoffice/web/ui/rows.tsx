import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import css from './rows.module.css';

export interface Column<T> {
  /** Also the `data-column` of its cells, for style sheets. */
  readonly key: string;
  /** The column heading, and the label on a card; empty for buttons. */
  readonly label: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'right';
  /** Hidden on cards and in a narrow table. */
  readonly wideOnly?: boolean;
}

export interface RowsProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** The target of a row; its first cell becomes a link, and a click on the row follows it. */
  readonly href?: (row: T) => string;
  /** The action of a row, instead of `href`. */
  readonly onRow?: (row: T) => void;
  /** The accessible name of the table. */
  readonly label: string;
}

/** A table; in a narrow window, its style sheet makes each row a card with labelled values. */
export function Rows<T>(props: RowsProps<T>) {
  const { columns, rows, rowKey, label } = props;
  const follow = useFollow(props);
  return (
    <div className={css.scroll}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.label === '' ? <span aria-hidden>&nbsp;</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} {...follow(row)}>
              {columns.map((column, index) => (
                <td
                  key={column.key}
                  className={classOf(column)}
                  data-column={column.key}
                  data-label={column.label}
                >
                  <div>{index === 0 ? <First {...props} row={row} column={column} /> : column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<T>({ align, wideOnly }: Column<T>): string | undefined {
  const names = [align === 'right' && css.right, wideOnly === true && css.wideOnly];
  return names.filter((name) => name !== false).join(' ') || undefined;
}

/** The first cell contains the link or button of its row, so the row has one keyboard stop. */
function First<T>({
  row,
  column,
  href,
  onRow,
}: RowsProps<T> & { readonly row: T; readonly column: Column<T> }) {
  if (href !== undefined) {
    return (
      <Link href={href(row)} className={css.link}>
        {column.cell(row)}
      </Link>
    );
  }
  if (onRow !== undefined) {
    return (
      <button type="button" className={css.link} onClick={() => onRow(row)}>
        {column.cell(row)}
      </button>
    );
  }
  return column.cell(row);
}

/** A click follows the row unless it hits a link, a button or selected text. */
function useFollow<T>({ href, onRow }: RowsProps<T>) {
  const [, navigate] = useLocation();
  return (row: T) => {
    if (href === undefined && onRow === undefined) return {};
    return {
      className: css.linked,
      onClick(event: MouseEvent<HTMLElement>) {
        const onControl = event.target instanceof Element && event.target.closest('a, button, input, label');
        if (onControl || window.getSelection()?.toString()) return;
        if (href === undefined) onRow?.(row);
        else if (event.metaKey || event.ctrlKey) window.open(`/backoffice${href(row)}`, '_blank', 'noopener');
        else navigate(href(row));
      },
    };
  };
}
