import { readdirSync, readFileSync } from 'node:fs';

const PAGE = new URL('page/', import.meta.url);
const FILES = readdirSync(PAGE);
const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Returns a file of the page. All files come from this host. */
export function pageFile(pathname: string, sandboxUrl: string): Response {
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  if (!FILES.includes(name)) return new Response('not found', { status: 404 });
  const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES];
  const text = readFileSync(new URL(name, PAGE), 'utf8');
  return new Response(text.replaceAll('{{sandboxUrl}}', sandboxUrl), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
