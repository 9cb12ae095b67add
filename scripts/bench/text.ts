/** A number without decimals, in groups of three. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** A number with about three digits that matter. */
export function short(value: number): string {
  if (Math.abs(value) >= 100) return whole(value);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** The lowest and the highest of the values. */
export function range(values: readonly number[], text: (value: number) => string): string {
  return `${text(Math.min(...values))} … ${text(Math.max(...values))}`;
}

/** Rows of cells as lines, the first column to the left and the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => row[i]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`.trimEnd(),
  );
}
