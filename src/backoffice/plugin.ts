import { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { BODY_BYTES_MAX, readJsonText, SLOW_BODY_MS } from '../http/body.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { ServiceError } from '../kernel/errors.ts';
import { authorise, type BackofficeMeta, requireSignedIn } from './authorise.ts';
import { BACKOFFICE, callerOf, type EndpointTools } from './caller.ts';
import type { BackofficeContext } from './context.ts';
import { BackofficeError, errorShape, notFound, toBackofficeError } from './errors.ts';
import type { ExportRoute } from './export-route.ts';
import { mountPages } from './pages.ts';
import { createThrottle } from './people/throttle.ts';
import { backofficeRouter, EXPORTS } from './router.ts';
import { requireSameOrigin } from './same-origin.ts';

const PROCEDURES = `${BACKOFFICE}/trpc`;
const DOWNLOADS = `${BACKOFFICE}/export`;
/** The body of a call without a session: an e-mail and a password. */
const ANONYMOUS_BODY_BYTES_MAX = 8 * 1024;
/** Test events and resends of one merchant per minute. */
const SENDS_MAX = 30;
/** Downloads that one person runs at a time. */
const DOWNLOADS_MAX = 2;

export interface BackofficeOptions {
  readonly deps: Deps;
  /** The folder of the built pages; tests use another. */
  readonly pages?: string;
}

/** The back office below /backoffice: its pages, procedures and downloads. */
export function backofficePlugin({ deps, pages }: BackofficeOptions) {
  const tools: EndpointTools = {
    deps,
    throttle: createThrottle(),
    sendLimit: createRateLimit(deps, SENDS_MAX),
  };
  return async (server: FastifyInstance): Promise<void> => {
    await server.register(cookie);
    mountProcedures(server, tools, backofficeRouter);
    const downloads = createDownloads();
    for (const route of EXPORTS) mountExport(server, tools, downloads, route);
    server.get(`${DOWNLOADS}/*`, (request, reply) => sendError(request, reply, notFound(), true));
    await mountPages(server, pages);
  };
}

/** Serves queries by GET and mutations by POST, one call per request. */
function mountProcedures(server: FastifyInstance, tools: EndpointTools, router: AnyTRPCRouter): void {
  server.route({
    method: ['GET', 'POST'],
    url: `${PROCEDURES}/*`,
    handler: async (request, reply) => {
      try {
        if (request.method === 'POST') requireSameOrigin(request, tools.deps.settings);
        await callProcedure(tools, router, request, reply);
      } catch (error) {
        await sendError(request, reply, toBackofficeError(error));
      }
    },
  });
}

async function callProcedure(
  tools: EndpointTools,
  router: AnyTRPCRouter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { method } = request;
  let caller = await callerOf(tools, request, reply);
  let body: string | null = null;
  if (method === 'POST') {
    await admit(router, request, caller);
    const startedAt = tools.deps.clock.now();
    body = await readBody(request, caller);
    // The session may have ended since.
    if (tools.deps.clock.now() - startedAt > SLOW_BODY_MS) caller = await callerOf(tools, request, reply);
  }
  let failure: BackofficeError | null = null;
  const response = await fetchRequestHandler({
    endpoint: PROCEDURES,
    router,
    req: new Request(`http://localhost${request.url}`, {
      method,
      body,
      headers: { 'content-type': 'application/json' },
    }),
    allowBatching: false,
    createContext: () => caller,
    onError: ({ error }) => {
      failure = toBackofficeError(error);
    },
  });
  if (failure !== null) return await sendError(request, reply, failure);
  await reply.type('application/json; charset=utf-8').send(await response.text());
}

/** Refuses a mutation before its body is read: unknown, not for this caller, or one of too many without a session. */
async function admit(
  router: AnyTRPCRouter,
  request: FastifyRequest,
  caller: BackofficeContext,
): Promise<void> {
  const { '*': name } = request.params as { '*': string };
  const meta: BackofficeMeta | undefined = router._def.procedures[name]?._def.meta;
  if (meta === undefined) throw notFound();
  if (meta.who !== 'anyone') requireSignedIn(caller, meta);
  else if (caller.user === null) await caller.throttle.admit(caller.address);
}

/** The body of a mutation; null for one without input. */
async function readBody(request: FastifyRequest, { user }: BackofficeContext): Promise<string | null> {
  if (request.headers['content-length'] === '0') return null;
  return await readJsonText(request.raw, user === null ? ANONYMOUS_BODY_BYTES_MAX : BODY_BYTES_MAX);
}

/** Serves a download by GET, so that a link can lead to it. */
function mountExport(
  server: FastifyInstance,
  tools: EndpointTools,
  downloads: Downloads,
  route: ExportRoute,
): void {
  server.get(`${DOWNLOADS}/${route.path}`, async (request, reply) => {
    try {
      const caller = await callerOf(tools, request, reply);
      const query = request.query as Record<string, unknown>;
      const granted = await authorise(caller, route.meta, async () => query.merchantId);
      const { fileName, type, lines, headers } = await route.answer({ ...caller, ...granted }, query);
      await reply
        .headers(headers ?? {})
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .type(type)
        .send(downloads.begin(caller.user?.id ?? '', lines));
    } catch (error) {
      await sendError(request, reply, toBackofficeError(error), true);
    }
  });
}

interface Downloads {
  /** A download of this person as a stream. Throws TOO_MANY_REQUESTS while too many are running. */
  begin(userId: string, lines: AsyncIterable<string>): Readable;
}

function createDownloads(): Downloads {
  const running = new Map<string, number>();
  return {
    begin(userId, lines) {
      const before = running.get(userId) ?? 0;
      if (before >= DOWNLOADS_MAX) {
        throw new BackofficeError(
          'TOO_MANY_REQUESTS',
          `You already have ${DOWNLOADS_MAX} downloads running. Wait until one is complete, then try again.`,
        );
      }
      running.set(userId, before + 1);
      return Readable.from(lines).once('close', () => {
        const others = (running.get(userId) ?? 1) - 1;
        if (others > 0) running.set(userId, others);
        else running.delete(userId);
      });
    },
  };
}

/** Sends an error. Downloads have a flat body, because a link opens it in the browser. */
async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: BackofficeError,
  isDownload = false,
): Promise<void> {
  const { message, code, status } = error;
  if (code === 'INTERNAL_ERROR') {
    // The access log records the cause.
    request.failure = new ServiceError('INTERNAL_ERROR', message, { cause: error.cause });
  }
  const flat = { error: message, code, requestId: request.id };
  await reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(isDownload ? flat : { error: errorShape(error, request.id) });
}
