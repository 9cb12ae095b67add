import { readFileSync } from 'node:fs';

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html',
  'shop.css': 'text/css',
  'shop.js': 'text/javascript',
  'pay.js': 'text/javascript',
  'tools.js': 'text/javascript',
  'words.js': 'text/javascript',
};

/** Returns a file of the page. All files come from this host. */
export function pageFile(pathname: string, sandboxUrl: string): Response {
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (type === undefined) return new Response('not found', { status: 404 });
  const text = readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8');
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
