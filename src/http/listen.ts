import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { errorText, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { authenticate } from '../rpc/authenticate.ts';
import type { Listening, ListenMessage } from '../webhooks/listen/listen.ts';
import { listenAfter } from '../webhooks/listen/start.ts';
import { splitTarget } from './paths.ts';

const LISTEN_PATH = '/listen';
/** The wait before a disconnected reader reconnects. */
const RETRY_MS = 1000;
/** A reader that accepts no data for this long is disconnected; it reconnects and continues. */
const SLOW_READER_MS = 30_000;
const FULL_RETRY_SECONDS = 10;

type ListenDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/**
 * GET /listen: the merchant's events as they happen, as server-sent events with the bytes and headers of a delivery. For the
 * development of receivers; not part of the documented API.
 */
export function listenRoute(options: {
  readonly deps: ListenDeps;
  readonly listening: Pick<Listening, 'open'>;
}): (server: FastifyInstance) => Promise<void> {
  const { deps, listening } = options;
  return async (server) => {
    server.get(LISTEN_PATH, { config: { needsKey: true } }, async (request, reply) => {
      const merchantId = merchantOf(request);
      const after = await listenAfter(deps, merchantId, startOf(request));
      const gone = new AbortController();
      const leave = () => gone.abort();
      reply.raw.once('close', leave);
      // Unlike other responses, a stream ends when the client closes its side of the connection.
      request.raw.socket.once('end', leave);
      const { authorization } = request.headers;
      const stream = listening.open({
        merchantId,
        after,
        isAllowed: () => stillAllowed(deps, authorization, merchantId),
        signal: gone.signal,
      });
      if (stream === null) throw full(reply);
      reply.hijack();
      await send(deps, { reply, stream, merchantId, after, gone: gone.signal });
      request.raw.socket.off('end', leave);
    });
  };
}

interface Sending {
  reply: FastifyReply;
  stream: AsyncIterable<ListenMessage>;
  merchantId: Id<'mer'>;
  after: number;
  /** Aborts when the reader disconnects. */
  gone: AbortSignal;
}

/** Writes the stream until either side ends it. Never throws. */
async function send(deps: ListenDeps, { reply, stream, merchantId, after, gone }: Sending): Promise<void> {
  const response = reply.raw;
  const facts = { requestId: reply.request.id, merchantId };
  let events = 0;
  try {
    begin(reply);
    const ready = `event: ready\nid: ${after}\ndata: ${JSON.stringify({ merchantId, after })}\n\n`;
    await write(deps, response, `retry: ${RETRY_MS}\n\n${ready}`, gone);
    for await (const message of stream) {
      await write(deps, response, frame(message), gone);
      if (message.kind === 'event') events++;
    }
    if (gone.aborted) response.destroy();
    else response.end();
  } catch (error) {
    if (!gone.aborted) deps.log.warn({ ...facts, detail: errorText(error) }, 'event stream interrupted');
    response.destroy();
  }
  // The access log only contains finished responses.
  deps.log.info({ ...facts, events }, 'event stream ended');
}

function begin(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // nginx buffers a response unless this header is set.
    'x-accel-buffering': 'no',
  });
}

/** Writes `text` and waits until the reader accepts it, which also applies back-pressure to the database reads. */
async function write(
  deps: ListenDeps,
  response: ServerResponse,
  text: string,
  gone: AbortSignal,
): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  const late = new AbortController();
  const cancel = deps.clock.after(SLOW_READER_MS, () => late.abort(new Error('the reader accepts nothing')));
  try {
    await once(response, 'drain', { signal: AbortSignal.any([late.signal, gone]) });
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    cancel();
  }
}

function frame(message: ListenMessage): string {
  switch (message.kind) {
    case 'heartbeat':
      return ': beat\n\n';
    case 'end':
      return `event: end\ndata: ${JSON.stringify({ reason: message.reason })}\n\n`;
    case 'event':
      return `event: webhook\nid: ${message.event.sequence}\ndata: ${JSON.stringify(message.event)}\n\n`;
  }
}

function startOf(request: FastifyRequest) {
  const query = new URLSearchParams(splitTarget(request.url)[1]);
  for (const name of ['since', 'replay']) {
    if (query.getAll(name).length > 1) {
      throw new ServiceError('INVALID_FIELDS', `${name} may be given once.`, { fields: [name] });
    }
  }
  return {
    lastEventId: request.headers['last-event-id']?.toString(),
    since: query.get('since') ?? undefined,
    replay: query.get('replay') ?? undefined,
  };
}

function merchantOf({ merchant }: FastifyRequest): Id<'mer'> {
  if (merchant === null) throw new Error('an unauthenticated request reached /listen');
  return merchant.id;
}

async function stillAllowed(
  deps: ListenDeps,
  authorization: string | undefined,
  merchantId: Id<'mer'>,
): Promise<boolean> {
  try {
    return (await authenticate(deps, authorization)).id === merchantId;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function full(reply: FastifyReply): ServiceError {
  reply.header('retry-after', String(FULL_RETRY_SECONDS));
  return new ServiceError(
    'RATE_LIMITED',
    `Too many streams are open. Try again in ${FULL_RETRY_SECONDS} s, and close those that you no longer need.`,
  );
}
