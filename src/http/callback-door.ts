import type { FastifyInstance } from 'fastify';
import { INTERNAL_ERROR_TEXT, ServiceError } from '../kernel/errors.ts';
import { splitTarget } from './paths.ts';

export type ReceiveCallback = (query: URLSearchParams) => Promise<200 | 403>;

/**
 * The bank's callback. Its query carries the key, so it is read here and shown nowhere. Whatever goes wrong on our side
 * is a 500, because the bank repeats what was not answered 200.
 */
export function mountCallbackDoor(app: FastifyInstance, receiveCallback: ReceiveCallback): void {
  app.get('/callbacks/ifthenpay', async (request, reply) => {
    const status = await receiveCallback(new URLSearchParams(splitTarget(request.url)[1])).catch((cause) => {
      throw new ServiceError('INTERNAL_ERROR', INTERNAL_ERROR_TEXT, { cause });
    });
    return await reply
      .code(status)
      .type('text/plain; charset=utf-8')
      .send(status === 200 ? 'OK' : '');
  });
}
