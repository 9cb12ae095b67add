import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { errorText, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { authenticate } from '../rpc/authenticate.ts';
import { listenAfter, listenToEvents, watched } from '../webhooks/listen.ts';
import { splitTarget } from './paths.ts';

const STREAMS_MAX = 50;
/** Of one merchant, so that others find a place. */
const STREAMS_PER_MERCHANT_MAX = 5;
const FULL_RETRY_SECONDS = 10;

type ListenDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'log'>;

/**
 * GET /listen: the merchant's events as they happen, as server-sent events with the bytes and headers of a delivery. For the
 * development of receivers; not part of the documented API. `stopping` ends all streams.
 */
export function listenRoute(options: {
  readonly deps: ListenDeps;
  readonly stopping: AbortSignal;
}): (server: FastifyInstance) => Promise<void> {
  const { deps, stopping } = options;
  const open = new Map<FastifyRequest, Id<'mer'>>();
  return async (server) => {
    server.get('/listen', { config: { needsKey: true } }, async (request, reply) => {
      const merchantId = merchantOf(request);
      const after = await listenAfter(deps, merchantId, startOf(request));
      const ownCount = [...open.values()].filter((id) => id === merchantId).length;
      const { socket } = request.raw;
      // The client left before the listeners below.
      if (socket.destroyed || socket.readableEnded) return await reply.send('');
      if (open.size >= STREAMS_MAX || ownCount >= STREAMS_PER_MERCHANT_MAX) throw full(reply);
      open.set(request, merchantId);
      const { authorization } = request.headers;
      const isAllowed = () => stillAllowed(deps, authorization, merchantId);
      const gone = new AbortController();
      const leave = () => gone.abort();
      reply.raw.once('close', leave);
      // Unlike other responses, a stream ends when the client closes its side of the connection.
      socket.once('end', leave);
      const signal = AbortSignal.any([stopping, gone.signal]);
      const events = listenToEvents(deps, { merchantId, after, isAllowed, signal });
      const stream = Readable.from(watched(deps.clock, events, () => reply.raw.destroy()));
      stream.once('close', () => open.delete(request));
      stream.once('error', (error) =>
        deps.log.warn({ requestId: request.id, detail: errorText(error) }, 'event stream interrupted'),
      );
      return await reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store, no-transform')
        // nginx buffers a response unless this header is set.
        .header('x-accel-buffering', 'no')
        .send(stream);
    });
  };
}

function startOf(request: FastifyRequest) {
  const query = new URLSearchParams(splitTarget(request.url)[1]);
  if (query.getAll('replay').length > 1) {
    throw new ServiceError('INVALID_FIELDS', 'replay may be given once.', { fields: ['replay'] });
  }
  return {
    lastEventId: request.headers['last-event-id']?.toString(),
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
