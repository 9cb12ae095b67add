/** Answers for people: objects as lines of `name  value`, lists of objects as tables, nested ones below their name. */
const CELL_LENGTH_MAX = 60;

/** The text of an answer, with a line end. Control characters of stored text never reach the terminal. */
export function readable(value: unknown): string {
  return `${block(value, '').join('\n')}\n`;
}

function block(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${indent}(none)`] : list(value, indent);
  if (isRecord(value)) return lines(value, indent);
  return [indent + plain(value)];
}

function lines(record: Readonly<Record<string, unknown>>, indent: string): string[] {
  const width = Math.max(0, ...Object.keys(record).map((name) => name.length));
  return Object.entries(record).flatMap(([name, value]) => {
    if (isFlat(value)) return [`${indent}${name.padEnd(width)}  ${plain(value)}`.trimEnd()];
    return [`${indent}${name}`, ...block(value, `${indent}  `)];
  });
}

function list(items: readonly unknown[], indent: string): string[] {
  const records = items.filter(isRecord);
  if (records.length < items.length) return items.map((item) => indent + plain(item));
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = [names, ...records.map((record) => names.map((name) => shortened(plain(record[name]))))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    (indent + row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).trimEnd(),
  );
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? '-' : printable(value.join(', '));
  }
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function isFlat(value: unknown): boolean {
  return !isRecord(value) && !(Array.isArray(value) && value.some(isRecord));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shortened(text: string): string {
  return text.length > CELL_LENGTH_MAX ? `${text.slice(0, CELL_LENGTH_MAX - 1)}…` : text;
}

/** Without characters that could move the cursor or hide text: names and addresses come from strangers. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
