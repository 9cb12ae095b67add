import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { authenticate } from '../rpc/authenticate.ts';
import { call } from '../rpc/call.ts';
import type { RequestContext } from '../rpc/context.ts';
import type { Operation, Operations } from '../rpc/operation.ts';
import { batchingOff } from '../rpc/wire-error.ts';
import { parseJson, readJsonBody, SLOW_BODY_MS } from './body.ts';
import { CHECKOUT_PREFIX, REST_PREFIX, TRPC_PREFIX } from './paths.ts';

const TRANSACTION_ID = /^tx_[0-9a-z]{26}$/;

/**
 * Mounts every operation twice: at the REST route of its metadata, and under the tRPC prefix in tRPC's HTTP format, one call per
 * request. Both read a JSON body or the query, do not coerce, and run the same call.
 */
export function mountOperations(app: FastifyInstance, deps: Deps, operations: Operations): void {
  for (const [group, members] of Object.entries(operations)) {
    for (const [name, operation] of Object.entries(members)) {
      mountRest(app, deps, operation, group === 'checkout' ? CHECKOUT_PREFIX : REST_PREFIX);
      mountTrpc(app, deps, operation, `${group}.${name}`);
    }
  }
}

/** A repeated member of the query arrives as an array. */
function mountRest(app: FastifyInstance, deps: Deps, operation: Operation, prefix: string): void {
  const { openapi } = operation.meta;
  if (openapi === undefined) return;
  app.route({
    method: openapi.method,
    url: `${prefix}${openapi.path}`,
    config: { needsKey: true },
    handler: async (request, reply) => {
      const input = openapi.method === 'GET' ? request.query : await readInput(deps, request);
      return await answer(deps, operation, request, reply, input);
    },
  });
}

function mountTrpc(app: FastifyInstance, deps: Deps, operation: Operation, name: string): void {
  const isQuery = operation.kind === 'query';
  app.route({
    method: isQuery ? 'GET' : 'POST',
    url: `${TRPC_PREFIX}/${name}`,
    config: { needsKey: true },
    handler: async (request, reply) => {
      const { batch, input: text } = request.query as Record<string, unknown>;
      if (batch !== undefined) throw batchingOff();
      const input = isQuery ? parseInput(text) : await readInput(deps, request);
      return { result: { data: await answer(deps, operation, request, reply, input) } };
    },
  });
}

/** Runs the call and records its transaction for the request log. */
async function answer(
  deps: Deps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<unknown> {
  const { headers, merchant } = request;
  if (merchant === null) throw new Error('an operation was reached without a key');
  const ctx: RequestContext = {
    deps,
    merchant,
    origin: headers.origin,
    referer: headers.referer,
    idempotencyKey: headers['idempotency-key']?.toString(),
    setHeader: (name, value) => void reply.header(name, value),
  };
  request.transactionId = transactionIn(input);
  const output = await call(operation, ctx, input);
  request.transactionId ??= transactionIn(output);
  return output;
}

/** Returns the member `transactionId` if it is an id: the request log must not contain other text of a caller. */
function transactionIn(members: unknown): Id<'tx'> | null {
  if (typeof members !== 'object' || members === null || !('transactionId' in members)) return null;
  const id = members.transactionId;
  return typeof id === 'string' && TRANSACTION_ID.test(id) ? (id as Id<'tx'>) : null;
}

/** Reads the body, and verifies the key again after a slow one: the merchant may have rolled it in between. */
async function readInput(deps: Deps, request: FastifyRequest): Promise<object> {
  const startedAt = deps.clock.now();
  const input = await readJsonBody(request.raw);
  if (deps.clock.now() - startedAt > SLOW_BODY_MS) {
    request.merchant = await authenticate(deps, request.headers.authorization);
  }
  return input;
}

function parseInput(text: unknown): unknown {
  return text === undefined ? undefined : parseJson(String(text), 'input');
}
