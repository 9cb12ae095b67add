/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly default?: string;
}

interface Member {
  /** `items[].quantity` */
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Returns the members of an object schema at every depth, each object before its own members. */
export function membersOf(schema: Schema, prefix = ''): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const inside =
      member.items === undefined ? membersOf(member, `${path}.`) : membersOf(member.items, `${path}[].`);
    return [{ path, schema: member, required: schema.required?.includes(name) === true }, ...inside];
  });
}

/** The anchor of a member of a schema, without `#`. */
export function fieldAnchor(schema: string, path: string): string {
  return `${schema}-${path.replaceAll('[]', '')}`;
}

export function schemaTable(name: string, schema: Schema, kind: 'request' | 'response'): string {
  const rows = membersOf(schema).map(({ path, schema: member, required }) => {
    const mark = kind === 'request' ? (required ? 'required' : '') : required ? '' : 'optional';
    return [anchoredName(fieldAnchor(name, path), path, mark), typeOf(member), notesOf(member).join('<br>')];
  });
  return fieldTable(['Field', 'Type', 'Description'], rows);
}

/** Returns Markdown for a name that can be linked to, with a mark such as `required`. */
export function anchoredName(id: string, name: string, mark: string): string {
  const suffix = mark === '' ? '' : ` <span class="${mark}">${mark}</span>`;
  return `<a class="anchor" id="${id}" href="#${id}">\`${name}\`</a>${suffix}`;
}

/** Returns a Markdown table whose rows stack on a narrow screen. */
export function fieldTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const table = [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
  return `<div class="fields">\n\n${table.join('\n')}\n\n</div>`;
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined && schema.type === undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}s`;
  if (schema.format === 'date-time') return 'timestamp (string)';
  return schema.type ?? 'any';
}

function notesOf(schema: Schema): string[] {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? {};
  const values = schema.enum ?? inner.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const lengthMin = schema.minLength ?? 0;
  return [
    schema.description,
    values.length > 0 &&
      `${values.length > 1 ? 'One of' : 'Always'} ${values.map((value) => `\`${value}\``).join(', ')}.`,
    schema.default !== undefined && `Default: \`${schema.default}\`.`,
    schema.maxLength !== undefined &&
      `${lengthMin > 0 ? `${lengthMin} to` : 'At most'} ${schema.maxLength} characters.`,
    schema.exclusiveMinimum !== undefined && `Greater than ${schema.exclusiveMinimum}.`,
    schema.minimum !== undefined && `At least ${schema.minimum}.`,
    schema.maximum !== undefined && `At most ${schema.maximum}.`,
    schema.maxItems !== undefined && `At most ${schema.maxItems} items.`,
    schema.format === 'email' && 'A valid email address.',
    // The generated pattern of a timestamp is long and repeats the type.
    schema.pattern !== undefined && schema.format !== 'date-time' && `Matches \`${schema.pattern}\`.`,
    schema.items?.description !== undefined && `Each item: ${schema.items.description}`,
  ].filter((note) => typeof note === 'string');
}
