import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

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

/** Serves the page with the phone and the ATM. */
export function pageRoutes(app: FastifyInstance, mbwayWindowMs: number): void {
  const html = text(new URL('./page/page.html', import.meta.url)).replace(
    '{{windowMs}}',
    String(mbwayWindowMs),
  );
  const files = [
    ['/', 'text/html', html],
    ['/page.css', 'text/css', text(new URL('./page/page.css', import.meta.url))],
    ['/phone.css', 'text/css', text(new URL('./page/phone.css', import.meta.url))],
    ['/atm.css', 'text/css', text(new URL('./page/atm.css', import.meta.url))],
    ['/page.js', 'text/javascript', text(new URL('./page/page.js', import.meta.url))],
    ['/words.js', 'text/javascript', text(new URL('./page/words.js', import.meta.url))],
  ] as const;
  for (const [path, type, content] of files) {
    app.get(path, (_request, reply) => reply.headers(HEADERS).type(`${type}; charset=utf-8`).send(content));
  }
}

function text(file: URL): string {
  return readFileSync(file, 'utf8');
}
