import type { AnyTRPCRouter } from '@trpc/server';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { type Procedure, runnerOf } from '../rpc/run.ts';
import { readJsonBody } from './body.ts';
import { contextOf } from './context.ts';
import { REST_PREFIX } from './paths.ts';
import { listProcedures } from './procedures.ts';

/**
 * The REST door: each procedure at the address that its metadata give it. A GET takes its input from the query, where a
 * repeated member arrives as an array, anything else from a JSON body. Nothing is coerced on the way.
 */
export function mountRest(app: FastifyInstance, deps: Deps, router: AnyTRPCRouter): void {
  const procedures = router._def.procedures as Record<string, Procedure>;
  for (const { name, rest } of listProcedures(router)) {
    const procedure = procedures[name];
    if (rest === null || procedure === undefined) continue;
    const run = runnerOf(name, procedure);
    app.route({
      method: rest.method,
      url: `${REST_PREFIX}${rest.path}`,
      config: { needsKey: true },
      handler: async (request, reply) => {
        const input = rest.method === 'GET' ? request.query : (await readJsonBody(request.raw)).value;
        return await run(contextOf(deps, request, reply), input);
      },
    });
  }
}
