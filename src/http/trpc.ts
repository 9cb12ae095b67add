import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { toServiceError } from '../rpc/wire-error.ts';
import { readJsonBody } from './body.ts';
import { contextOf } from './context.ts';
import { sendFailure } from './failure.ts';
import { TRPC_PREFIX } from './paths.ts';
import { listProcedures } from './procedures.ts';

/** A request's own Host may be anything; tRPC needs some origin to read the target by. */
const ORIGIN = 'http://localhost';

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
        const response = await fetchRequestHandler({
          endpoint: TRPC_PREFIX,
          router,
          req: new Request(ORIGIN + request.url, {
            method,
            body,
            headers: { 'content-type': 'application/json' },
          }),
          allowBatching: false,
          createContext: () => contextOf(deps, request, reply),
          onError: ({ error }) => {
            request.failure = toServiceError(error);
          },
        });
        // Faults found before there was a context know no request id; these words do.
        if (request.failure !== null) return await sendFailure(request, reply, request.failure);
        return await reply
          .code(response.status)
          .type('application/json; charset=utf-8')
          .send(await response.text());
      },
    });
  }
}
