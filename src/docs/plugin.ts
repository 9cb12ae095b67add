import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pagePolicy } from '../http/page-policy.ts';
import { CHECKOUT_PREFIX, REST_PREFIX } from '../http/paths.ts';
import { LANGUAGES } from '../kernel/language.ts';
import { notFound } from '../rpc/wire-error.ts';
import { SEARCH_PATH, TRY_PATH, tryPage } from './layout.ts';
import type { SiteSettings } from './site.ts';

export const DOCUMENT_PATH = `${REST_PREFIX}/openapi.json`;
export const CHECKOUT_DOCUMENT_PATH = `${CHECKOUT_PREFIX}/openapi.json`;
export const POSTMAN_PATH = '/docs/postman.json';

/** The files of Swagger UI that the try-it page loads; the package contains many more. */
const SWAGGER_FILES = ['/swagger-ui.css', '/swagger-ui-bundle.js'];
const OWN_FILES = ['/colours.css', '/docs.css', '/docs.js', '/icon.svg', '/try.css', '/try.js'];

/** Blocks content from other hosts and inline styles. */
const POLICY = pagePolicy();
/** Swagger UI sets style attributes and loads its icons from data: URLs. */
const TRY_POLICY = pagePolicy({ style: "'self' 'unsafe-inline'", image: "'self' data:" });

/**
 * The documentation under /docs and the OpenAPI document. Both are generated at the first request, because the
 * generators would add to the start time and to idle memory.
 */
export function docsRoutes(settings: SiteSettings): (server: FastifyInstance) => Promise<void> {
  const loadSite = once(async () => (await import('./site.ts')).createSite(settings));
  return async (server) => {
    const sendPage = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
      const site = await loadSite();
      const page = site.pages.get(path.replace(/\/$/, ''));
      if (page !== undefined) return sendHtml(reply, page, POLICY);
      if (!wantsPage(request)) throw notFound();
      const language = /^\/docs\/pt(\/|$)/.test(path) ? 'pt' : 'en';
      return sendHtml(reply.code(404), site.missing(language), POLICY);
    };
    server.get('/', async (request, reply) => {
      if (!wantsPage(request)) throw notFound();
      return sendHtml(reply, (await loadSite()).entry, POLICY);
    });
    server.get('/docs', (request, reply) => sendPage('/docs', request, reply));
    server.get<{ Params: { '*': string } }>('/docs/*', (request, reply) =>
      sendPage(`/docs/${request.params['*']}`, request, reply),
    );
    for (const language of LANGUAGES) {
      server.get(SEARCH_PATH[language], async (request, reply) => {
        const query = new URLSearchParams(request.url.replace(/^[^?]*/, '')).get('q') ?? '';
        return sendHtml(reply, (await loadSite()).search(language, query), POLICY);
      });
    }
    if (settings.bank === 'sandbox') {
      server.get(TRY_PATH, (_request, reply) => sendHtml(reply, tryPage(), TRY_POLICY));
      await mountFiles(server, swaggerFolder(), '/docs/assets/', SWAGGER_FILES);
    }
    // A relative server address resolves against the URL of the document, behind any proxy.
    const address = settings.publicUrl ?? '';
    serveJson(server, DOCUMENT_PATH, async () => {
      const { createDocument } = await import('./openapi/document.ts');
      return JSON.stringify(createDocument(`${address}${REST_PREFIX}`));
    });
    serveJson(server, CHECKOUT_DOCUMENT_PATH, async () => {
      const { createCheckoutDocument } = await import('./openapi/checkout.ts');
      return JSON.stringify(createCheckoutDocument(`${address}${CHECKOUT_PREFIX}`));
    });
    serveJson(server, POSTMAN_PATH, () => postmanCollection(settings));
    await mountFiles(server, join(import.meta.dirname, 'assets'), '/docs/site/', OWN_FILES);
  };
}

/** Serves a document that is made at the first request. */
function serveJson(server: FastifyInstance, path: string, make: () => Promise<string>): void {
  const made = once(make);
  server.get(path, { exposeHeadRoute: false }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await made()),
  );
}

/** Returns a function that calls `make` at the first call, and again after a failure, such as too many open files. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Whether a browser requests a page; other clients get the API's error. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** The Postman collection with the values of this service. */
async function postmanCollection({ bank, publicUrl, port }: SiteSettings): Promise<string> {
  const [{ createDocument }, { createCollection, SANDBOX_VALUES }, { localOrigin }] = await Promise.all([
    import('./openapi/document.ts'),
    import('./openapi/postman.ts'),
    import('./site.ts'),
  ]);
  const server = `${publicUrl ?? localOrigin(port)}${REST_PREFIX}`;
  const phoneNumber = bank === 'sandbox' ? SANDBOX_VALUES.phoneNumber : '';
  return JSON.stringify(createCollection(createDocument(server), { baseUrl: server, phoneNumber }), null, 2);
}

/** The published package includes the files of Swagger UI; the repository installs its package. */
function swaggerFolder(): string {
  const packed = join(import.meta.dirname, 'swagger');
  if (existsSync(packed)) return packed;
  return dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
}

function sendHtml(reply: FastifyReply, page: string, policy: string): FastifyReply {
  return reply
    .header('Content-Security-Policy', policy)
    .header('Cache-Control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(page);
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
    acceptRanges: false,
    decorateReply: false,
    allowedPath: (path) => allowed.includes(path),
    maxAge: '1h',
  });
}
