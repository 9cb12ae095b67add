import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from '../rpc/wire-error.ts';
import { PAGES, TRY_PATH } from './pages.ts';
import type { LimitSettings } from './reference/limits.ts';
import { type RenderedPage, renderSite } from './site.ts';
import { START_SCRIPT, TRY_STYLE, tryPage } from './try-page.ts';

/** The files of Swagger UI that its page loads; the package holds many more. */
const SWAGGER_FILES = ['/swagger-ui.css', '/swagger-ui-bundle.js'];
const OWN_FILES = ['/colours.css', '/docs.css', '/docs.js', '/icon.svg'];
const CACHED = 'public, max-age=3600';

const BASE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
/** Nothing from any other host, no style but our file. */
const POLICY = [...BASE_POLICY, "style-src 'self'", "img-src 'self'"].join('; ');
/** Swagger UI sets style attributes and draws its icons from data: addresses. */
const TRY_POLICY = [...BASE_POLICY, "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"].join('; ');

/**
 * The documentation below /docs, from local files alone: guides and reference, and Swagger UI for trying calls out. With the
 * sandbox every page says TEST MONEY and calls can be tried out; with a real bank they are only shown.
 */
export function docsRoutes(options: {
  readonly settings: LimitSettings;
}): (server: FastifyInstance) => Promise<void> {
  const { settings } = options;
  // Made at the first request: reading the contract would add to the time of every start.
  let site: Promise<ReadonlyMap<string, RenderedPage>> | undefined;
  return async (server) => {
    const paths = PAGES.flatMap(({ en, pt }) => [en.path, ...(pt === undefined ? [] : [pt.path])]);
    for (const path of paths) {
      const show = async (ifNoneMatch: string | undefined, reply: FastifyReply) => {
        site ??= renderSite(settings);
        const page = (await site).get(path);
        if (page === undefined) throw notFound();
        return await sendPage(reply, page, ifNoneMatch);
      };
      server.get(path, (request, reply) => show(request.headers['if-none-match'], reply));
      if (path.split('/').length <= 3)
        server.get(`${path}/`, (request, reply) => show(request.headers['if-none-match'], reply));
    }
    mountTry(server, settings.bank === 'sandbox');
    await mountFiles(server, join(import.meta.dirname, 'assets'), '/docs/site/', OWN_FILES);
    await mountFiles(server, swaggerFolder(), '/docs/assets/', SWAGGER_FILES);
  };
}

/** An installed package has the files of Swagger UI among its own; the repository has them by that package. */
function swaggerFolder(): string {
  const packed = join(import.meta.dirname, 'swagger');
  if (existsSync(packed)) return packed;
  return dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
}

async function sendPage(
  reply: FastifyReply,
  { html, etag }: RenderedPage,
  ifNoneMatch: string | undefined,
): Promise<void> {
  reply.header('Content-Security-Policy', POLICY).header('Cache-Control', 'no-cache').header('ETag', etag);
  const known = ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  if (known === true) await reply.code(304).send();
  else await reply.type('text/html; charset=utf-8').send(html);
}

function mountTry(server: FastifyInstance, sandbox: boolean): void {
  const files = [
    [TRY_PATH, 'text/html', tryPage({ sandbox }), 'no-store'],
    ['/docs/start.js', 'text/javascript', START_SCRIPT, CACHED],
    ['/docs/page.css', 'text/css', TRY_STYLE, CACHED],
  ] as const;
  for (const [url, type, body, cache] of files) {
    server.get(url, (_request, reply) =>
      reply
        .header('Content-Security-Policy', TRY_POLICY)
        .header('Cache-Control', cache)
        .type(`${type}; charset=utf-8`)
        .send(body),
    );
  }
}

async function mountFiles(
  server: FastifyInstance,
  root: string,
  prefix: string,
  allowed: readonly string[],
): Promise<void> {
  await server.register(fastifyStatic, {
    root,
    prefix,
    index: false,
    decorateReply: false,
    allowedPath: (path) => allowed.includes(path),
    cacheControl: false,
    setHeaders: (reply) => void reply.header('Cache-Control', CACHED),
  });
}
