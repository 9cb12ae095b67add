import { type Html, html, sentence } from '../html.ts';

/** The part of JSON Schema that our document uses. */
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

/** A member and where it stands: `items[].quantity`. */
interface Member {
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** The members of an object schema with all below them, each object before what is in it. */
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

/** The table of a schema's members; `request` says whether to tell which are required. */
export function schemaTable(name: string, schema: Schema, request: boolean): Html {
  const rows = membersOf(schema).map(({ path, schema: member, required }) => {
    const id = fieldAnchor(name, path);
    const marks = request
      ? required
        ? html` <span class="required">required</span>`
        : null
      : absent(required);
    return html`<tr id="${id}"><th scope="row"><a class="anchor" href="#${id}"><code>${path}</code></a>${marks}</th>
<td>${typeOf(member)}</td><td>${notesOf(member)}</td></tr>`;
  });
  return html`<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function absent(required: boolean): Html | null {
  return required ? null : html` <span class="optional">may be absent</span>`;
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined && schema.type === undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array')
    return `array of ${schema.items === undefined ? 'values' : plural(schema.items)}`;
  if (schema.format === 'date-time') return 'instant (string)';
  return schema.type ?? 'any';
}

function plural(schema: Schema): string {
  return `${typeOf(schema)}s`;
}

function notesOf(schema: Schema): Html {
  const notes = [
    ...(schema.description === undefined ? [] : [sentence(schema.description)]),
    ...rulesOf(schema),
    ...(schema.items?.description === undefined ? [] : [sentence(schema.items.description)]),
  ];
  return html`${notes.map((note) => html`<span class="note">${note}</span>`)}`;
}

/** What a value must fulfil, in words. */
function rulesOf(schema: Schema): Html[] {
  const rules: Html[] = [];
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? {};
  const values = schema.enum ?? inner.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined) rules.push(html`${values.length > 1 ? 'One of ' : 'Always '}${codes(values)}.`);
  if (schema.default !== undefined) rules.push(html`Default <code>${schema.default}</code>.`);
  const [least, most] = [schema.minLength ?? 0, schema.maxLength];
  if (most !== undefined) rules.push(html`${least > 0 ? `${least} to ` : 'At most '}${most} characters.`);
  if (schema.exclusiveMinimum !== undefined) rules.push(html`Above ${schema.exclusiveMinimum}.`);
  if (schema.minimum !== undefined) rules.push(html`At least ${schema.minimum}.`);
  if (schema.maximum !== undefined) rules.push(html`At most ${schema.maximum}.`);
  if (schema.maxItems !== undefined) rules.push(html`At most ${schema.maxItems} entries.`);
  if (schema.format === 'email') rules.push(html`A valid e-mail address.`);
  if (schema.format === 'uri') rules.push(html`An http or https address.`);
  // The pattern of an instant is longer than all the rest and says what the type says.
  if (schema.pattern !== undefined && schema.format !== 'date-time')
    rules.push(html`Matches <code>${schema.pattern}</code>.`);
  return rules;
}

function codes(values: readonly string[]): Html {
  return html`${values.map((value, i) => html`${i > 0 ? ', ' : null}<code>${value}</code>`)}`;
}
