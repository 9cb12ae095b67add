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
