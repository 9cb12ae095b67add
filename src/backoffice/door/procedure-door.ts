import type { AnyTRPCRouter } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readJsonText } from '../../http/body.ts';
import { callProcedure, listProcedures, sendAnswer } from '../../http/procedures.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { type BackofficeError, errorShape, notFound, toBackofficeError } from '../errors.ts';
import { callerOf, type DoorTools } from './caller.ts';
import { PROCEDURES } from './paths.ts';
import { demandSameOrigin } from './same-origin.ts';

const BODY_BYTES_MAX = 1024 * 1024;

/** One address for each procedure: queries by GET, mutations by POST, and no batches, so that a line of the log is one call. */
export function mountProcedures(server: FastifyInstance, tools: DoorTools, router: AnyTRPCRouter): void {
  for (const { name, kind } of listProcedures(router)) {
    const method = kind === 'query' ? 'GET' : 'POST';
    server.route({
      method,
      url: `${PROCEDURES}/${name}`,
      handler: async (request, reply) => {
        try {
          if (method === 'POST') demandSameOrigin(request, tools.deps.settings);
          await answer(tools, router, request, reply);
        } catch (error) {
          await sendError(request, reply, toBackofficeError(error));
        }
      },
    });
  }
  for (const method of ['GET', 'POST'] as const) {
    const handler = async (request: FastifyRequest, reply: FastifyReply) =>
      await sendError(request, reply, notFound());
    server.route({ method, url: `${PROCEDURES}/*`, handler });
  }
}

async function answer(
  tools: DoorTools,
  router: AnyTRPCRouter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { method } = request;
  const body = method === 'POST' ? await bodyOf(request) : null;
  const caller = await callerOf(tools, request, reply);
  let failure: BackofficeError | null = null;
  const response = await callProcedure(request, {
    router,
    endpoint: PROCEDURES,
    method,
    body,
    context: () => caller,
    onError: (error) => {
      failure = toBackofficeError(error);
    },
  });
  if (failure !== null) return await sendError(request, reply, failure);
  await sendAnswer(reply, response);
}

/** A mutation that takes no input is sent without a body. */
async function bodyOf(request: FastifyRequest): Promise<string | null> {
  if (request.headers['content-length'] === '0') return null;
  return await readJsonText(request.raw, BODY_BYTES_MAX);
}

async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: BackofficeError,
): Promise<void> {
  noteFailure(request, error);
  await reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send({ error: errorShape(error, request.id) });
}

/** For the log, whose closed codes are the API's; what went wrong inside is there with its cause. */
export function noteFailure(request: FastifyRequest, error: BackofficeError): void {
  if (error.code !== 'INTERNAL_ERROR') return;
  request.failure = new ServiceError('INTERNAL_ERROR', error.message, { cause: error.cause });
}
