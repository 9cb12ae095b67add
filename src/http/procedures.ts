import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request's own Host may be anything; tRPC needs some origin to read the target by. */
const ORIGIN = 'http://localhost';

export interface ProcedureCall {
  router: AnyTRPCRouter;
  /** The path that its procedures stand under. */
  endpoint: string;
  method: string;
  body: string | null;
  context: () => object | Promise<object>;
  onError: (error: unknown) => void;
}

/** Has tRPC's own handler answer the request. Batches are refused: each call counts as one. */
export async function callProcedure(request: FastifyRequest, call: ProcedureCall): Promise<Response> {
  const { router, endpoint, method, body, context, onError } = call;
  return await fetchRequestHandler({
    endpoint,
    router,
    req: new Request(ORIGIN + request.url, {
      method,
      body,
      headers: { 'content-type': 'application/json' },
    }),
    allowBatching: false,
    createContext: context,
    onError: ({ error }) => onError(error),
  });
}

/** Hands on what the handler answered. */
export async function sendAnswer(reply: FastifyReply, response: Response): Promise<void> {
  await reply
    .code(response.status)
    .type('application/json; charset=utf-8')
    .send(await response.text());
}

/** A procedure of a router. */
export interface Procedure {
  /** The path in the router, such as `payments.init`. */
  readonly name: string;
  readonly kind: 'query' | 'mutation';
}

/** Lists the procedures of a router. */
export function listProcedures(router: AnyTRPCRouter): Procedure[] {
  const procedures = router._def.procedures as Record<string, { _def: { type: string } }>;
  return Object.entries(procedures).map(([name, { _def }]) => {
    if (_def.type !== 'query' && _def.type !== 'mutation') throw new Error(`${name} is a ${_def.type}`);
    return { name, kind: _def.type };
  });
}
