import type { AnyTRPCRouter } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { type Call, createCall } from '../rpc/call.ts';
import type { RequestContext } from '../rpc/context.ts';
import type { ProcedureMeta } from '../rpc/trpc.ts';
import { invalidBody } from '../rpc/wire-error.ts';
import { readJsonBody } from './body.ts';
import { REST_PREFIX, TRPC_PREFIX } from './paths.ts';

export interface Procedure {
  /** The path in the router, such as `payments.init`. */
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  /** The address under the REST prefix; null when it has none. */
  readonly rest: { readonly method: string; readonly path: string } | null;
  readonly idempotent: boolean;
}

/** Returns the procedures of a router with what their metadata say. */
export function listProcedures(router: AnyTRPCRouter): Procedure[] {
  const procedures = router._def.procedures as Record<
    string,
    { _def: { type: string; meta?: ProcedureMeta } }
  >;
  return Object.entries(procedures).map(([name, { _def }]) => {
    if (_def.type !== 'query' && _def.type !== 'mutation') throw new Error(`${name} is a ${_def.type}`);
    const { openapi, idempotent = false } = _def.meta ?? {};
    const rest = openapi ? { method: openapi.method, path: openapi.path } : null;
    return { name, kind: _def.type, rest, idempotent };
  });
}

/**
 * Mounts every procedure twice: at the REST address of its metadata, and under the tRPC prefix in tRPC's HTTP form, one call per
 * request. Both read a JSON body or the query, coerce nothing, and make the same call.
 */
export function mountProcedures(app: FastifyInstance, deps: Deps, router: AnyTRPCRouter): void {
  const call = createCall(router);
  for (const procedure of listProcedures(router)) {
    if (procedure.rest !== null) mountRest(app, deps, call, procedure, procedure.rest);
    mountTrpc(app, deps, call, procedure);
  }
}

/** A repeated member of the query arrives as an array. */
function mountRest(
  app: FastifyInstance,
  deps: Deps,
  call: Call,
  procedure: Procedure,
  { method, path }: NonNullable<Procedure['rest']>,
): void {
  app.route({
    method,
    url: `${REST_PREFIX}${path}`,
    config: { needsKey: true },
    handler: async (request, reply) => {
      const input = method === 'GET' ? request.query : await readJsonBody(request.raw);
      return await call(procedure, contextOf(deps, request, reply), input);
    },
  });
}

function mountTrpc(app: FastifyInstance, deps: Deps, call: Call, procedure: Procedure): void {
  app.route({
    method: procedure.kind === 'query' ? 'GET' : 'POST',
    url: `${TRPC_PREFIX}/${procedure.name}`,
    config: { needsKey: true },
    handler: async (request, reply) => {
      const { batch, input: text } = request.query as Record<string, unknown>;
      if (batch !== undefined) throw invalidBody('Batches are off: send one call per request.');
      const input = procedure.kind === 'query' ? parseInput(text) : await readJsonBody(request.raw);
      return { result: { data: await call(procedure, contextOf(deps, request, reply), input) } };
    },
  });
}

function parseInput(text: unknown): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(String(text));
  } catch {
    throw invalidBody('The input is not valid JSON.');
  }
}

function contextOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): RequestContext {
  const { headers, merchant } = request;
  if (merchant === null) throw new Error('a procedure was reached without a key');
  return {
    deps,
    merchant,
    origin: headers.origin,
    referer: headers.referer,
    idempotencyKey: headers['idempotency-key']?.toString(),
    setHeader: (name, value) => {
      reply.header(name, value);
    },
  };
}
