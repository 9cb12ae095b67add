import type { AnyTRPCRouter } from '@trpc/server';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { createCallerFactory } from '../rpc/trpc.ts';
import { readJsonBody } from './body.ts';
import { contextOf } from './context.ts';
import { REST_PREFIX } from './paths.ts';
import { listProcedures } from './procedures.ts';

type Caller = Record<string, (input: unknown) => Promise<unknown>>;

/**
 * The REST door: each procedure at the address that its metadata give it. A GET takes its input from the query, where a
 * repeated member arrives as an array, anything else from a JSON body. Nothing is coerced on the way.
 */
export function mountRest(app: FastifyInstance, deps: Deps, router: AnyTRPCRouter): void {
  const createCaller = createCallerFactory(router);
  for (const { name, rest } of listProcedures(router)) {
    if (rest === null) continue;
    app.route({
      method: rest.method,
      url: `${REST_PREFIX}${rest.path}`,
      config: { needsKey: true },
      handler: async (request, reply) => {
        const input = rest.method === 'GET' ? request.query : (await readJsonBody(request.raw)).value;
        const caller = createCaller(contextOf(deps, request, reply)) as Caller;
        return await caller[name]?.(input);
      },
    });
  }
}
