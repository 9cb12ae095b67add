import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { RequestContext } from '../rpc/context.ts';

/** What a procedure is told about the call, the same over either door. */
export function contextOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): RequestContext {
  const { headers } = request;
  return {
    deps,
    requestId: request.id,
    authorization: headers.authorization,
    origin: headers.origin,
    referer: headers.referer,
    idempotencyKey: headers['idempotency-key']?.toString(),
    merchant: request.merchant ?? undefined,
    setHeader: (name, value) => {
      reply.header(name, value);
    },
  };
}
