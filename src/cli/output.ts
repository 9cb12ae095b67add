const CELL_LENGTH_MAX = 60;

/** Renders an answer for people: objects as `name  value` lines, lists of objects as tables, nested objects indented. */
export function readable(value: unknown): string {
  return `${block(value, '').join('\n')}\n`;
}

/** Replaces control and formatting characters, because stored text comes from shoppers and merchants. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

export async function* asArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let lead = '[';
  for await (const item of items) {
    yield lead + JSON.stringify(item);
    lead = ',\n';
  }
  yield lead === '[' ? '[]\n' : ']\n';
}

export async function* asLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

function block(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${indent}(none)`] : list(value, indent);
  if (isRecord(value)) return lines(value, indent);
  return [indent + cell(value)];
}

function lines(record: Readonly<Record<string, unknown>>, indent: string): string[] {
  const width = Math.max(0, ...Object.keys(record).map((name) => name.length));
  return Object.entries(record).flatMap(([name, value]) => {
    const isNested = isRecord(value) || (Array.isArray(value) && value.some(isRecord));
    if (isNested) return [`${indent}${name}`, ...block(value, `${indent}  `)];
    return [`${indent}${name.padEnd(width)}  ${cell(value)}`.trimEnd()];
  });
}

function list(items: readonly unknown[], indent: string): string[] {
  const records = items.filter(isRecord);
  if (records.length < items.length) return items.map((item) => indent + cell(item));
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const last = names.at(-1);
  const text = (record: Readonly<Record<string, unknown>>, name: string) =>
    name === last ? cell(record[name]) : shortened(cell(record[name]));
  const rows = [names, ...records.map((record) => names.map((name) => text(record, name)))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    (indent + row.map((shown, column) => shown.padEnd(widths[column] ?? 0)).join('  ')).trimEnd(),
  );
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? '-' : printable(value.join(', '));
  }
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Shortens a long text; an address stays whole, because people copy it. */
function shortened(text: string): string {
  return text.length > CELL_LENGTH_MAX && !/^https?:/.test(text)
    ? `${text.slice(0, CELL_LENGTH_MAX - 1)}…`
    : text;
}
