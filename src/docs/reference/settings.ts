import { type Html, html, sentence } from '../html.ts';

interface SettingNote {
  readonly name: `SERVICE_${string}`;
  /** As text; in brackets what the sandbox has instead. */
  readonly fallback: string;
  readonly means: string;
}

/** Every variable that the service reads, in the order in which an operator meets them. */
export const SETTING_NOTES: readonly SettingNote[] = [
  {
    name: 'SERVICE_BANK',
    fallback: '`sandbox`',
    means:
      '`sandbox` or `ifthenpay`. Must be set in production and on every host that is not loopback. A database remembers its bank.',
  },
  { name: 'SERVICE_HOST', fallback: '`127.0.0.1`', means: 'The address to listen on.' },
  { name: 'SERVICE_PORT', fallback: '`8080`', means: 'The port to listen on; 0 takes a free one.' },
  {
    name: 'SERVICE_PUBLIC_URL',
    fallback: "the listener's address",
    means:
      'Where the world reaches the service: the bank calls back there, and links in answers start with it.',
  },
  {
    name: 'SERVICE_DATABASE_URL',
    fallback: '`sqlite:./data/service.db`',
    means: '`sqlite:FILE` or `postgres://…`.',
  },
  {
    name: 'SERVICE_DATABASE_DIRECT_URL',
    fallback: '`SERVICE_DATABASE_URL`',
    means:
      'With PostgreSQL: where each process keeps the one connection that listens, when the other address leads to a pooler such as PgBouncer in transaction mode.',
  },
  {
    name: 'SERVICE_SECRET_KEY',
    fallback: 'none (made and kept in the data folder)',
    means:
      '32 bytes in base64. Encrypts API keys, webhook secrets and bank credentials at rest. One that does not open the database stops the start.',
  },
  {
    name: 'SERVICE_SECRET_KEY_PREVIOUS',
    fallback: 'none',
    means:
      'While the key is changed: the old one, which still opens what it sealed and seals nothing. Run `service secrets rotate`, then take it away.',
  },
  {
    name: 'SERVICE_TRUST_PROXY',
    fallback: '`false`',
    means:
      'How far `X-Forwarded-For` counts: `false`, a number of hops, or addresses and CIDRs. Wrong here, the rate limit counts the proxy, or whatever a client invents.',
  },
  {
    name: 'SERVICE_POST_RATE_LIMIT',
    fallback: '`30`',
    means: 'POST requests a minute for each client address; 0 turns the limit off.',
  },
  {
    name: 'SERVICE_REQUIRE_CHECKOUT_DATA',
    fallback: '`true`',
    means: "Whether `customer` and `items` are required until a merchant's first paid sale.",
  },
  {
    name: 'SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS',
    fallback: '`false`',
    means:
      'Lets webhooks go to loopback and private ranges, for development; never to link-local addresses or cloud metadata.',
  },
  {
    name: 'SERVICE_METRICS_TOKEN',
    fallback: 'none',
    means:
      'Whoever sends it as a Bearer value may read `/metrics` and the detail of `/readyz` from another machine.',
  },
  {
    name: 'SERVICE_DELIVERY_ATTEMPT_DAYS',
    fallback: '`90`',
    means:
      'How long the attempts of a delivery that ended are kept one by one. The delivery, how it ended and how many attempts it took stay for ever.',
  },
  {
    name: 'SERVICE_IDEMPOTENCY_DAYS',
    fallback: '`7`',
    means: 'How long the answer under an idempotency key is kept; 7 at least.',
  },
  {
    name: 'SERVICE_BANK_HINT_DAYS',
    fallback: '`90`',
    means: "How long the bank's callbacks are kept once they have been settled; the receipts stay for ever.",
  },
  {
    name: 'SERVICE_LOG_LEVEL',
    fallback: '`info`',
    means: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  },
  {
    name: 'SERVICE_BANK_TIMEOUT_MS',
    fallback: '`10000`',
    means:
      'How long the bank may take to answer; at least 1000. A push that takes longer has an unknown outcome.',
  },
  {
    name: 'SERVICE_MBWAY_WINDOW_SECONDS',
    fallback: '`240`',
    means: "The shopper's time to confirm. Below 240 with the sandbox alone.",
  },
  {
    name: 'SERVICE_MBWAY_GRACE_SECONDS',
    fallback: '`30`',
    means: 'How long after the window a push still counts as open.',
  },
  { name: 'SERVICE_MBWAY_MAX_EUR', fallback: '`5000`', means: 'The largest amount that MB WAY is offered.' },
  {
    name: 'SERVICE_MULTIBANCO_DAYS',
    fallback: '`3`',
    means: 'The days that a reference can be paid: 0 to 31, 45, 60, 90 or 120.',
  },
  {
    name: 'SERVICE_MULTIBANCO_GRACE_MINUTES',
    fallback: '`120`',
    means:
      'How long after `expiresAt` the last look at the bank is taken before a reference counts as expired.',
  },
  {
    name: 'SERVICE_PENDING_HOURS',
    fallback: '`24`',
    means: 'When a transaction without a live method is cancelled.',
  },
  {
    name: 'SERVICE_INQUIRY_SECONDS',
    fallback: '`10` (`1`)',
    means: 'How often the bank is asked about an open push.',
  },
  {
    name: 'SERVICE_INQUIRIES_PER_SECOND',
    fallback: '`10` (`1000`)',
    means: 'How many of those questions leave in a second, over all merchants.',
  },
  {
    name: 'SERVICE_RECONCILE_SECONDS',
    fallback: '`300` (`5`)',
    means: "How often the bank's list of received payments is read.",
  },
  { name: 'SERVICE_SANDBOX_HOST', fallback: '`127.0.0.1`', means: 'The address of the embedded sandbox.' },
  { name: 'SERVICE_SANDBOX_PORT', fallback: '`8081`', means: 'The port of the embedded sandbox.' },
  {
    name: 'SERVICE_SANDBOX_URL',
    fallback: 'none: embedded',
    means: 'Where a sandbox that runs alone (`npm run sandbox`) is reached.',
  },
  {
    name: 'SERVICE_SEED_DEMO',
    fallback: '`true` with the sandbox',
    means: 'Whether an empty database is given a demo merchant.',
  },
];

/** The settings as a table; each can be linked to by its name. */
export function settingsTable(): Html {
  const rows = SETTING_NOTES.map(
    ({ name, fallback, means }) =>
      html`<tr id="${name}"><th scope="row"><a class="anchor" href="#${name}"><code>${name}</code></a></th><td>${sentence(fallback)}</td><td>${sentence(means)}</td></tr>`,
  );
  return html`<table class="fields"><thead><tr><th scope="col">Variable</th><th scope="col">Default (sandbox)</th><th scope="col">What it does</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}
