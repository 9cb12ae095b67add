import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A smaller response fits into one packet uncompressed. */
const COMPRESSED_BYTES_MIN = 1_024;
const compress = promisify(gzip);

/**
 * The response body of a query, compressed if that saves space. Only queries are compressed: mutations return keys, signing
 * secrets and links, and the length of a compressed response with a secret and caller-chosen text would reveal the secret.
 */
export async function compressedQuery(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  if (request.method !== 'GET') return text;
  reply.header('vary', 'accept-encoding');
  if (text.length < COMPRESSED_BYTES_MIN || !acceptsGzip(request)) return text;
  reply.header('content-encoding', 'gzip');
  return await compress(text);
}

/** The stream of a download, compressed; each piece is sent at once, so that its progress can be shown. */
export function compressedDownload(request: FastifyRequest, reply: FastifyReply, lines: Readable): Readable {
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request)) return lines;
  reply.header('content-encoding', 'gzip');
  // An error of either stream ends both; Fastify reports it.
  return pipeline(lines, createGzip({ flush: constants.Z_SYNC_FLUSH }), () => {});
}

function acceptsGzip(request: FastifyRequest): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/i.test(request.headers['accept-encoding'] ?? '');
}
