import type { IncomingMessage } from 'node:http';
import type { ServiceError } from '../kernel/errors.ts';
import { invalidBody } from '../rpc/wire-error.ts';

export const BODY_BYTES_MAX = 256 * 1024;
/** The caller is identified again when reading the body took longer. */
export const SLOW_BODY_MS = 1000;
const JSON_TYPE = /^application\/json\s*(;|$)/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const BROKEN = Symbol('broken body');
const broken = new WeakSet<IncomingMessage>();

/** Rejects current and future readers of the request's body. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/** Reads the request's body: one JSON object in UTF-8. Throws INVALID_BODY. */
export async function readJsonBody(request: IncomingMessage): Promise<object> {
  const value = parseJson(await readJsonText(request, BODY_BYTES_MAX));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidBody('The body must be a JSON object.');
}

/**
 * Reads a body sent as JSON in UTF-8 without parsing it. Fastify's own reader closes the connection on a body that is too large,
 * so that a client that is still sending might not see the answer. Throws INVALID_BODY.
 */
export async function readJsonText(request: IncomingMessage, bytesMax: number): Promise<string> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (type === undefined || !JSON_TYPE.test(type.trim())) {
    throw invalidBody('The body must be sent as content type application/json.');
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalidBody('The body must be sent without a content encoding.');
  }
  if (Number(length) > bytesMax) throw tooLarge(bytesMax);
  const bytes = await collect(request, bytesMax);
  try {
    return UTF8.decode(bytes);
  } catch {
    throw invalidBody('The body is not valid UTF-8.');
  }
}

function collect(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (broken.has(request) || request.destroyed) return Promise.reject(incomplete());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let ended = false;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // The rest of a body that is too large is read and dropped, so that a client that is still sending sees the answer.
      if (bytes > bytesMax) reject(tooLarge(bytesMax));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      ended = true;
      resolve(Buffer.concat(chunks));
    });
    const onBroken = () => {
      if (!ended) reject(incomplete());
    };
    request.on('close', onBroken).on('error', onBroken).on(BROKEN, onBroken);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody('The body is not valid JSON.');
  }
}

function incomplete(): ServiceError {
  return invalidBody('The body ended early, came too slowly or is not sound HTTP.');
}

function tooLarge(bytesMax: number): ServiceError {
  return invalidBody(`The body is larger than ${bytesMax / 1024} KiB. Send less, for example fewer items.`);
}
