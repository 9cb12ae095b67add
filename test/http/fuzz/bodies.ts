import fc from 'fast-check';
import { names, tokens } from './tokens.ts';
import { type Generated, weighted } from './weighted.ts';

/** JSON as text: members in order, with repetitions, and tokens as written. */
type Node = string | Node[] | Members;
interface Members {
  members: [name: string, value: Node][];
}

const TEXT_KINDS = [
  ...['cut', 'flip', 'insert', 'byte order mark', 'UTF-16', 'trailing', 'twice', 'empty', 'random'],
  ...['invalid UTF-8', 'pad with spaces', 'pad with a member', 'token alone'],
] as const;

const BODY_BYTES_MAX = 256 * 1024;

/** A change of a valid body at the `place`-th of its values. */
const mutations = fc.record({
  place: fc.nat(999),
  kind: weighted(
    [5, 'replace'],
    [5, 'remove', 'repeat', 'rename', 'add', 'wrap in array', 'wrap in object', 'multiply'],
  ),
  name: names,
  token: tokens,
});
type Mutation = Generated<typeof mutations>;

const around = fc.oneof(
  fc.nat(400),
  fc.integer({ min: BODY_BYTES_MAX - 3, max: BODY_BYTES_MAX + 3 }),
  fc.constant(400_000),
);

/** Changes of a valid body: of its values, of its bytes, or none. */
export const bodyPlans = fc.record({
  mutations: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Mutation[]>([]) },
    { weight: 7, arbitrary: fc.array(mutations, { minLength: 1, maxLength: 4 }) },
  ),
  text: fc.record({
    kind: weighted([6, 'trailing'], [2, ...TEXT_KINDS]),
    at: fc.nat(2000),
    bytes: fc.oneof(
      { weight: 8, arbitrary: fc.constant<number[]>([]) },
      { weight: 1, arbitrary: fc.array(fc.nat(255), { maxLength: 20 }) },
    ),
    size: around,
  }),
});
type BodyPlan = Generated<typeof bodyPlans>;

/** The bytes of a valid body after the plan's changes. */
export function bodyOf(valid: unknown, plan: BodyPlan): Buffer {
  const root: Node[] = [fromJson(valid)];
  for (const mutation of plan.mutations) mutate(root, mutation);
  return rewrite(write(root[0] ?? ''), plan);
}

function fromJson(value: unknown): Node {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return { members: Object.entries(value).map(([name, member]) => [name, fromJson(member)]) };
}

function write(node: Node): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return `[${node.map(write).join(',')}]`;
  return `{${node.members.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(',')}}`;
}

/** The place of a value: an element of an array or a member. */
interface Place {
  holder: Node[] | Members;
  index: number;
}

function placesOf(holder: Node[] | Members): Place[] {
  const values = Array.isArray(holder) ? holder : holder.members.map(([, value]) => value);
  return values.flatMap((value, index) => [
    { holder, index },
    ...(typeof value === 'string' ? [] : placesOf(value)),
  ]);
}

const MULTIPLIED = [3, 201, 1500];

function mutate(root: Node[], mutation: Mutation): void {
  const places = placesOf(root);
  const at = places[mutation.place % places.length];
  if (at === undefined) return;
  const { holder, index } = at;
  if (Array.isArray(holder)) {
    const value = holder[index] ?? 'null';
    if (mutation.kind === 'remove' && holder !== root) holder.splice(index, 1);
    else holder[index] = changed(value, mutation);
    return;
  }
  const [member, value] = holder.members[index] ?? ['', 'null'];
  if (mutation.kind === 'remove') holder.members.splice(index, 1);
  else if (mutation.kind === 'repeat') holder.members.push([member, mutation.token]);
  else
    holder.members[index] = [mutation.kind === 'rename' ? mutation.name : member, changed(value, mutation)];
}

/** The value that replaces this one. */
function changed(value: Node, { place, kind, name, token }: Mutation): Node {
  switch (kind) {
    case 'replace':
      return token;
    case 'wrap in array':
      return [value];
    case 'wrap in object':
      return { members: [[name, value]] };
    case 'add':
      if (typeof value === 'string') return { members: [[name, token]] };
      return Array.isArray(value) ? [...value, token] : { members: [...value.members, [name, token]] };
    case 'multiply':
      return Array.isArray(value)
        ? repeated(value[0] ?? token, MULTIPLIED[place % MULTIPLIED.length] ?? 3)
        : value;
    default:
      return value;
  }
}

function repeated(value: Node, count: number): Node[] {
  return Array.from({ length: count }, () => value);
}

function rewrite(json: string, { text, mutations }: BodyPlan): Buffer {
  const { kind, size } = text;
  const bytes = Buffer.from(json);
  const noise = Buffer.from(text.bytes);
  const at = text.at % (bytes.length + 1);
  switch (kind) {
    case 'trailing':
      return Buffer.concat([bytes, noise]);
    case 'cut':
      return bytes.subarray(0, at);
    case 'flip': {
      if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << (size % 8));
      return bytes;
    }
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
    case 'invalid UTF-8':
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc3, 0x28, 0xff]), bytes.subarray(at)]);
    case 'byte order mark':
      return Buffer.from(`\uFEFF${json}`);
    case 'UTF-16':
      return Buffer.from(json, 'utf16le');
    case 'twice':
      return Buffer.from(json + json);
    case 'empty':
      return Buffer.alloc(0);
    case 'random':
      return noise;
    case 'token alone':
      return Buffer.from(mutations[0]?.token ?? 'null');
    case 'pad with spaces':
      return Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), 0x20)]);
    case 'pad with a member': {
      const opening = '{"padding":"';
      const padding = 'x'.repeat(Math.max(0, size - bytes.length - opening.length - 2));
      return Buffer.from(json.replace('{', () => `${opening}${padding}",`));
    }
  }
}
