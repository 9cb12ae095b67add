import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorise } from '../authorise.ts';
import { toBackofficeError } from '../errors.ts';
import type { ExportRoute } from '../export-route.ts';
import { callerOf, type DoorTools } from './caller.ts';
import { DOWNLOADS } from './paths.ts';
import { noteFailure } from './procedure-door.ts';

/** Downloads: plain GETs that a link can lead to, admitted by the same rules as procedures. */
export function mountExports(
  server: FastifyInstance,
  tools: DoorTools,
  routes: readonly ExportRoute[],
): void {
  for (const route of routes) {
    server.get(`${DOWNLOADS}/${route.path}`, async (request, reply) => {
      try {
        await send(tools, route, request, reply);
      } catch (error) {
        const failure = toBackofficeError(error);
        noteFailure(request, failure);
        const { message, code } = failure;
        await reply.code(failure.status).send({ error: message, code, requestId: request.id });
      }
    });
  }
}

async function send(
  tools: DoorTools,
  route: ExportRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = await callerOf(tools, request, reply);
  const query = request.query as Record<string, unknown>;
  const granted = await authorise(caller, route.meta, async () => query.merchantId);
  const { fileName, type, lines, headers } = await route.answer({ ...caller, ...granted }, query);
  await reply
    .headers(headers ?? {})
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .type(type)
    .send(Readable.from(lines));
}
