import type { AnyTRPCRouter } from '@trpc/server';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { toServiceError } from '../rpc/wire-error.ts';
import { readJsonBody } from './body.ts';
import { callProcedure, sendAnswer } from './call-procedure.ts';
import { contextOf } from './context.ts';
import { sendFailure } from './failure.ts';
import { TRPC_PREFIX } from './paths.ts';
import { listProcedures } from './procedures.ts';

/**
 * The tRPC door: the same procedures, one address each, so that unknown ones and wrong methods end where all unknown
 * paths do. Batches are refused: each call counts as one.
 */
export function mountTrpc(app: FastifyInstance, deps: Deps, router: AnyTRPCRouter): void {
  for (const { name, kind } of listProcedures(router)) {
    const method = kind === 'query' ? 'GET' : 'POST';
    app.route({
      method,
      url: `${TRPC_PREFIX}/${name}`,
      config: { needsKey: true },
      handler: async (request, reply) => {
        const body = method === 'POST' ? (await readJsonBody(request.raw)).text : null;
        const response = await callProcedure(request, {
          router,
          endpoint: TRPC_PREFIX,
          method,
          body,
          context: () => contextOf(deps, request, reply),
          onError: (error) => {
            request.failure = toServiceError(error);
          },
        });
        // Faults found before there was a context know no request id; these words do.
        if (request.failure !== null) return await sendFailure(request, reply, request.failure);
        return await sendAnswer(reply, response);
      },
    });
  }
}
