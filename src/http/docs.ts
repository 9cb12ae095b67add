import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../config.ts';
import { docsPage, START_SCRIPT, STYLE } from './docs/page.ts';

/** The files of Swagger UI that the page loads; the package holds many more. */
const ASSETS = ['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png'];
const CACHED = 'public, max-age=3600';

/** Nothing from any other host; Swagger UI sets style attributes and draws its icons from data: addresses. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The reference page at /docs, from local files alone. With the sandbox it says TEST MONEY and can try the calls out;
 * with a real bank it only shows them.
 */
export function docsRoutes(options: {
  readonly settings: Pick<Settings, 'bank'>;
}): (server: FastifyInstance) => Promise<void> {
  const page = docsPage({ sandbox: options.settings.bank === 'sandbox' });
  return async (server) => {
    const show = (url: string, type: string, body: string, cache: string) =>
      server.get(url, (_request, reply) =>
        reply
          .header('Content-Security-Policy', POLICY)
          .header('Cache-Control', cache)
          .type(`${type}; charset=utf-8`)
          .send(body),
      );
    show('/docs', 'text/html', page, 'no-store');
    show('/docs/', 'text/html', page, 'no-store');
    show('/docs/start.js', 'text/javascript', START_SCRIPT, CACHED);
    show('/docs/page.css', 'text/css', STYLE, CACHED);
    await server.register(fastifyStatic, {
      root: dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
      prefix: '/docs/assets/',
      index: false,
      decorateReply: false,
      allowedPath: (path) => ASSETS.includes(path),
      cacheControl: false,
      setHeaders: (reply) => void reply.header('Cache-Control', CACHED),
    });
  };
}
