import { Readable } from 'node:stream';
import type { AnyTRPCProcedure } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { BODY_BYTES_MAX, readJsonText, SLOW_BODY_MS } from '../http/body.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { ServiceError } from '../kernel/errors.ts';
import { createResolve } from '../webhooks/transport/resolve.ts';
import { authorise, type BackofficeMeta, requireSignedIn } from './authorise.ts';
import { createLimit, type Limit } from './call-limit.ts';
import { callerOf } from './caller.ts';
import { compressedDownload, compressedQuery } from './compression.ts';
import type { BackofficeContext, EndpointTools } from './context.ts';
import { type BackofficeError, errorShape, notFound, toBackofficeError } from './errors.ts';
import { PROCEDURES } from './paths.ts';
import { createThrottle } from './people/throttle.ts';
import { backofficeRouter, EXPORTS } from './router.ts';
import { requireSameOrigin } from './same-origin.ts';

/** The body of a call without a session: an e-mail and a password. */
const ANONYMOUS_BODY_BYTES_MAX = 8 * 1024;
/** Test events and resends of one merchant per minute. */
const SENDS_MAX = 30;
/**
 * The maximum number of concurrent calls of one person. Further calls wait, so that one person's searches cannot occupy the
 * thread.
 */
const CALLS_MAX = 4;
/** The maximum number of waiting calls of a person; each keeps the received part of its body in memory. */
const WAITING_MAX = 250;
const DOWNLOADS_MAX = 2;
/** How often a download checks that its reader still has access: a slow download can last for days. */
const RECHECK_MS = 60_000;
/** The `Retry-After` of a limit without a known end. */
const RETRY_SECONDS = 5;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function createEndpoints(deps: Deps): { procedure: Handler; download: Handler } {
  const tools: EndpointTools = {
    deps,
    throttle: createThrottle(deps),
    sendLimit: createRateLimit(deps, SENDS_MAX),
    resolve: createResolve({ allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks }),
  };
  const callLimit = createLimit(CALLS_MAX, WAITING_MAX, {
    sentence: 'You already have too many requests open. Wait until they are complete, then try again.',
  });
  const downloadLimit = createLimit(DOWNLOADS_MAX, 0, {
    sentence: `You already have ${DOWNLOADS_MAX} downloads running. Wait until one is complete, then try again.`,
  });
  return {
    async procedure(request, reply) {
      try {
        if (request.method === 'POST') requireSameOrigin(request, tools.deps.settings);
        await callProcedure(tools, callLimit, request, reply);
      } catch (error) {
        await sendError(request, reply, toBackofficeError(error));
      }
    },
    async download(request, reply) {
      try {
        await sendDownload(tools, downloadLimit, request, reply);
      } catch (error) {
        await sendError(request, reply, toBackofficeError(error), true);
      }
    },
  };
}

async function callProcedure(
  tools: EndpointTools,
  callLimit: Limit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = await callerOf(tools, request, reply);
  if (request.method === 'POST') await admit(request, caller);
  const arrivedAt = tools.deps.clock.now();
  const answering = () => answerCall(tools, caller, arrivedAt, request, reply);
  // A body of unknown length can arrive in chunks of one byte, which take hundreds of times its size in memory until it is read.
  const mayWait = request.method !== 'POST' || request.headers['content-length'] !== undefined;
  // Reading the body counts towards the limit too, so that one person cannot fill the memory with bodies.
  await (caller.user === null ? answering() : callLimit.run(caller.user.id, answering, mayWait));
}

async function answerCall(
  tools: EndpointTools,
  admitted: BackofficeContext,
  arrivedAt: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { method } = request;
  const body = method === 'POST' ? await readBody(request, admitted) : null;
  // The session may have ended since.
  const isLate = tools.deps.clock.now() - arrivedAt > SLOW_BODY_MS;
  const caller = isLate ? await callerOf(tools, request, reply) : admitted;
  let failure: BackofficeError | null = null;
  const response = await fetchRequestHandler({
    endpoint: PROCEDURES,
    router: backofficeRouter,
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
  const answer = await compressedQuery(request, reply, await response.text());
  await reply.type('application/json; charset=utf-8').send(answer);
}

/**
 * Refuses a mutation before its body is read: an unknown procedure, a caller without access, or too many calls without a session.
 */
async function admit(request: FastifyRequest, caller: BackofficeContext): Promise<void> {
  const { '*': name } = request.params as { '*': string };
  const meta = metaOf(name);
  if (meta === undefined) throw notFound();
  if (meta.who !== 'anyone') requireSignedIn(caller, meta);
  else if (caller.user === null) await caller.throttle.admit(caller.address);
}

/** Who may call the procedure of this name, for example `team.invite`; undefined when there is none. */
function metaOf(name: string): BackofficeMeta | undefined {
  let found: unknown = backofficeRouter;
  for (const part of name.split('.')) {
    const members = typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
    found = Object.hasOwn(members, part) ? members[part] : undefined;
  }
  return typeof found === 'function' ? (found as AnyTRPCProcedure).meta : undefined;
}

/** The body of a mutation; null for one without input. */
async function readBody(request: FastifyRequest, { user }: BackofficeContext): Promise<string | null> {
  if (request.headers['content-length'] === '0') return null;
  return await readJsonText(request.raw, user === null ? ANONYMOUS_BODY_BYTES_MAX : BODY_BYTES_MAX);
}

async function sendDownload(
  tools: EndpointTools,
  downloadLimit: Limit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const path = (request.params as { '*': string })['*'];
  const route = EXPORTS.find((known) => known.path === path);
  if (route === undefined) return await sendError(request, reply, notFound(), true);
  const query = request.query as Record<string, unknown>;
  const authoriseReader = async (isPoll?: boolean) => {
    const caller = await callerOf(tools, request, reply, isPoll);
    return { ...caller, ...(await authorise(caller, route.meta, async () => query.merchantId ?? null)) };
  };
  const ctx = await authoriseReader();
  const { fileName, type, lines, headers } = await route.answer(ctx, query);
  await downloadLimit.run(ctx.user?.id ?? '', async () => {
    const content = Readable.from(whileAuthorised(lines, authoriseReader, tools.deps));
    const closed = new Promise((resolve) => content.once('close', resolve));
    reply.headers(headers ?? {}).header('content-disposition', `attachment; filename="${fileName}"`);
    await reply.type(type).send(compressedDownload(request, reply, content));
    // A query can still run after the client has closed the connection.
    await closed;
  });
}

/** Yields the content of a download. Rejects when its reader has lost access. */
async function* whileAuthorised(
  lines: AsyncIterable<string>,
  authoriseReader: (isPoll: boolean) => Promise<unknown>,
  { clock }: Pick<Deps, 'clock'>,
): AsyncGenerator<string, void, undefined> {
  let checkedAt = clock.now();
  for await (const piece of lines) {
    if (Math.abs(clock.now() - checkedAt) >= RECHECK_MS) {
      await authoriseReader(true);
      checkedAt = clock.now();
    }
    yield piece;
  }
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
  if (status === 429) reply.header('retry-after', String(error.values.seconds ?? RETRY_SECONDS));
  const flat = { error: message, code, requestId: request.id };
  await reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(isDownload ? flat : { error: errorShape(error, request.id) });
}
