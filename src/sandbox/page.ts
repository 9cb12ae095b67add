import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
  app.get('/behind', async (request, reply) =>
    reply.headers(HEADERS).send({
      callbacks: context.callbackLog.newest(),
      webhooks: webhooks !== null && isOwnMachine(request) ? await webhooks() : null,
    }),
  );
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/i;
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/**
 * Webhooks are of all shops, and nobody needs a key here: they are for who sits at the machine. Not for a page of a stranger
 * whose name leads to it, nor for who comes by a proxy.
 */
function isOwnMachine({ socket, headers }: FastifyRequest): boolean {
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  );
}

function text(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');
}
