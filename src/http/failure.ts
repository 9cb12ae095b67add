import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../kernel/errors.ts';
import { errorBody, invalidBody, notFound, toServiceError, trpcErrorShape } from '../rpc/wire-error.ts';

/** Sends an error in the format of the request's endpoint, and stores it for the log. */
export async function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<void> {
  const failure = keepFailure(request, error);
  const body =
    request.endpoint === 'trpc'
      ? { error: trpcErrorShape(failure, request.id) }
      : errorBody(failure, request.id);
  await reply
    .code(failure.status)
    .header('link', request.server.errorHelp(failure.code))
    .type('application/json; charset=utf-8')
    .send(body);
}

/** Returns the error of a response, and stores it for the log. */
export function keepFailure(request: FastifyRequest, error: unknown): ServiceError {
  request.failure = clientLeft(request, error) ?? fromFramework(error) ?? toServiceError(error);
  return request.failure;
}

/** Returns the error for a stream that ended because its client closed the connection; null for any other error. */
function clientLeft({ socket }: FastifyRequest, error: unknown): ServiceError | null {
  const isCut = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return isCut && socket.destroyed ? invalidBody('The connection was closed before the response.') : null;
}

/** Returns the error for a client error of Fastify or a plugin; null for any other error. */
function fromFramework(error: unknown): ServiceError | null {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return null;
  if (error.statusCode < 400 || error.statusCode >= 500) return null;
  return error.statusCode === 404 ? notFound() : invalidBody();
}
