import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { isOwnMachine } from '../kernel/own-machine.ts';
import type { SandboxContext } from './context.ts';

/** One webhook delivery. Instants are UTC milliseconds. */
export interface ShownWebhook {
  deliveryId: string;
  eventId: string;
  event: string;
  shop: string;
  /** The host of the shop's endpoint, or null without an endpoint. */
  host: string | null;
  state: 'due' | 'delivered' | 'undelivered' | 'skipped';
  createdAt: number;
  /** The exact request body. */
  body: string;
  /** Attempts started. */
  attempts: number;
  /** The status of the latest finished attempt. */
  status: number | null;
  durationMs: number | null;
  error: string | null;
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const;
const PAGE = new URL('./page/', import.meta.url);

/** Serves the page with the phone, the ATM and the traffic between bank, service and shop. */
export function pageRoutes(
  app: FastifyInstance,
  context: Pick<SandboxContext, 'mbwayWindowMs' | 'sentCallbacks'>,
  webhooks: (() => Promise<readonly ShownWebhook[]>) | null,
): void {
  for (const name of readdirSync(PAGE)) {
    const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES];
    const content = readFileSync(new URL(name, PAGE), 'utf8').replace(
      '{{windowMs}}',
      String(context.mbwayWindowMs),
    );
    app.get(name === 'page.html' ? '/' : `/${name}`, (_request, reply) =>
      reply.headers(HEADERS).type(`${type}; charset=utf-8`).send(content),
    );
  }
  app.get('/behind', async (request, reply) =>
    reply.headers(HEADERS).send({
      callbacks: context.sentCallbacks,
      webhooks: webhooks !== null && isOwnMachine(request) ? await webhooks() : null,
    }),
  );
}
