import type { AnyTRPCRouter } from '@trpc/server';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import type { RequestContext } from '../rpc/context.ts';
import { readJsonBody } from './body.ts';
import { contextOf } from './context.ts';
import { REST_PREFIX } from './paths.ts';
import { listProcedures } from './procedures.ts';

type Procedure = (call: {
  ctx: RequestContext;
  getRawInput: () => Promise<unknown>;
  path: string;
  type: 'query' | 'mutation';
  signal: undefined;
  batchIndex: number;
}) => Promise<unknown>;

/**
 * The REST door: each procedure at the address that its metadata give it. A GET takes its input from the query, where a
 * repeated member arrives as an array, anything else from a JSON body. Nothing is coerced on the way.
 */
export function mountRest(app: FastifyInstance, deps: Deps, router: AnyTRPCRouter): void {
  const procedures = router._def.procedures as Record<string, Procedure>;
  for (const { name, kind, rest } of listProcedures(router)) {
    if (rest === null) continue;
    app.route({
      method: rest.method,
      url: `${REST_PREFIX}${rest.path}`,
      config: { needsKey: true },
      handler: async (request, reply) => {
        const input = rest.method === 'GET' ? request.query : (await readJsonBody(request.raw)).value;
        // What tRPC's own caller does, less the proxy and the error handling of a caller that is made for each call.
        return await procedures[name]?.({
          ctx: contextOf(deps, request, reply),
          getRawInput: async () => input,
          path: name,
          type: kind,
          signal: undefined,
          batchIndex: 0,
        });
      },
    });
  }
}
