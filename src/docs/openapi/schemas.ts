type Json = Record<string, unknown>;

/** Bounds that only say "a safe integer" tell a reader nothing. */
const SAFE_INTEGER_BOUNDS: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/**
 * A generated schema in the form in which it is published: without bounds that say nothing, and open to members that
 * a later version adds, because a client that refuses them would break on every addition.
 */
export function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !(name === 'additionalProperties' && member === false) &&
      !((name === 'maximum' || name === 'minimum') && SAFE_INTEGER_BOUNDS.includes(member)),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, published(member)]));
}

const ID = { pattern: '^tx_' };

/**
 * What the validation demands and the generator cannot see, because it is a rule in code: merged into the schema that
 * the path leads to.
 */
const SHARPENINGS: Readonly<Record<string, readonly (readonly [path: string, addition: Json])[]>> = {
  InitRequest: [
    ['properties.currency', { default: 'EUR' }],
    [
      'properties.storeUrl',
      {
        format: 'uri',
        description:
          'The address of the shop; its domain must be registered. Send it always; only without it the host of `Origin`, then `Referer`, counts.',
      },
    ],
    ['properties.customer.properties.email', { format: 'email' }],
    ['properties.shippingAddress', { description: 'Alternative address.' }],
    ['properties.items', { description: 'Required until the account has its first paid sale.' }],
    [
      'properties.items.items',
      {
        description: 'Needs `priceInCents` or `price`; with both, they must agree.',
        anyOf: [{ required: ['priceInCents'] }, { required: ['price'] }],
      },
    ],
    [
      'properties.items.items.properties.id',
      { description: 'A string of at most 500 characters, or a whole number, which is kept as text.' },
    ],
    ['properties.items.items.properties.priceInCents', { description: 'EUR cents.' }],
    [
      'properties.customer',
      {
        description:
          "Stored with the transaction. `name` and `email` are required until the account's first paid sale.",
      },
    ],
  ],
  InitResponse: [
    ['properties.transactionId', ID],
    ['properties.amount', { description: 'EUR.' }],
  ],
  MbwayRequest: [
    ['properties.phoneNumber', { description: 'A Portuguese mobile number, 9 digits: `9XXXXXXXX`.' }],
  ],
  MbwayResponse: [['properties.message', { description: 'Names the 4 minutes that the customer has.' }]],
  MultibancoResponse: [
    ['properties.entity', { pattern: '^\\d{5}$' }],
    ['properties.reference', { pattern: '^\\d{9}$' }],
    ['properties.amount', { description: 'EUR.' }],
    [
      'properties.expiresAt',
      { description: "The bank's last day at 23:59:59 in Lisbon, as an ISO 8601 UTC instant." },
    ],
  ],
  StatusResponse: [
    ['properties.transactionId', ID],
    ['properties.externalOrderId', { description: 'The orderId given at init.' }],
    ['properties.amount', { description: 'EUR.' }],
    ['properties.paidAt', { description: "The bank's time of payment; null while unpaid." }],
    ['properties.mb.properties.entity', { pattern: '^\\d{5}$' }],
    ['properties.mb.properties.reference', { pattern: '^\\d{9}$' }],
  ],
};

/** Adds to a published schema what its name asks for. Throws when the schema has no such member: the notes are stale. */
export function sharpen(name: string, schema: Json): Json {
  for (const [path, addition] of SHARPENINGS[name] ?? []) {
    let target: unknown = schema;
    for (const part of path.split('.')) target = (target as Json | undefined)?.[part];
    if (typeof target !== 'object' || target === null) throw new Error(`${name} has no ${path}`);
    Object.assign(target, addition);
  }
  return schema;
}
