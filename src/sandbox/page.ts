import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from './context.ts';

/** One delivery of a webhook. Instants are UTC milliseconds. */
export interface ShownWebhook {
  deliveryId: string;
  eventId: string;
  event: string;
  shop: string;
  /** Host of the shop's endpoint; null when it has none. */
  host: string | null;
  state: 'due' | 'delivered' | 'undelivered' | 'skipped';
  createdAt: number;
  /** The bytes that are sent, as text. */
  body: string;
  /** Attempts made or begun so far. */
  attempts: number;
  /** Of the newest attempt that has ended. */
  status: number | null;
  durationMs: number | null;
  error: string | null;
}

// Everything comes from this host; no other is ever asked.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const FILES = [
  'page.css',
  'phone.css',
  'atm.css',
  'behind.css',
  'page.js',
  'phone.js',
  'atm.js',
  'behind.js',
  'tools.js',
  'words.js',
];

/** Serves the page with the phone and the ATM, and what it shows of the way from the bank to the shop. */
export function pageRoutes(
  app: FastifyInstance,
  context: Pick<SandboxContext, 'mbwayWindowMs' | 'callbackLog'>,
  webhooks: (() => Promise<readonly ShownWebhook[]>) | null,
): void {
  const html = text('page.html').replace('{{windowMs}}', String(context.mbwayWindowMs));
  app.get('/', (_request, reply) => reply.headers(HEADERS).type('text/html; charset=utf-8').send(html));
  for (const name of FILES) {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    const content = text(name);
    app.get(`/${name}`, (_request, reply) =>
      reply.headers(HEADERS).type(`${type}; charset=utf-8`).send(content),
    );
  }
  app.get('/behind', async (_request, reply) =>
    reply.headers(HEADERS).send({
      callbacks: context.callbackLog.newest(),
      webhooks: webhooks === null ? null : await webhooks(),
    }),
  );
}

function text(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');
}
