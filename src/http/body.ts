import type { IncomingMessage } from 'node:http';
import type { ServiceError } from '../kernel/errors.ts';
import { invalidBody } from '../rpc/wire-error.ts';

export const BODY_BYTES_MAX = 256 * 1024;
/** The caller is identified again when reading the body took longer. */
export const SLOW_BODY_MS = 1000;
const JSON_TYPE = /^application\/json\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const FORM_BYTES_MAX = 4 * 1024;
/** More chunks than this are joined, because a chunk of one byte takes hundreds of bytes of memory. */
const CHUNKS_MAX = 1024;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const BROKEN = Symbol('broken body');
const broken = new WeakSet<IncomingMessage>();

/** Rejects current and future readers of the request's body. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/** Reads the rest of the request's body and discards it. */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || broken.has(request) || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => resolve();
    request.on('end', done).on('close', done).on('error', done).on(BROKEN, done);
    request.resume();
  });
}

/** Reads the request's body: one JSON object in UTF-8. Throws INVALID_BODY. */
export async function readJsonBody(request: IncomingMessage): Promise<object> {
  const value = parseJson(await readJsonText(request, BODY_BYTES_MAX), 'body');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidBody('The body must be a JSON object.');
}

/** Reads the fields of a posted form. Throws INVALID_BODY. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request, FORM_BYTES_MAX, FORM_TYPE));
}

/**
 * Reads a body sent as JSON in UTF-8 without parsing it. Fastify's reader closes the connection on a body that is too large, so
 * that a client that is still sending might not receive the response. Throws INVALID_BODY.
 */
export async function readJsonText(request: IncomingMessage, bytesMax: number): Promise<string> {
  return readText(request, bytesMax, JSON_TYPE);
}

async function readText(request: IncomingMessage, bytesMax: number, typeWanted: RegExp): Promise<string> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (type === undefined || !typeWanted.test(type.trim())) {
    const wanted = typeWanted === JSON_TYPE ? 'application/json' : 'application/x-www-form-urlencoded';
    throw invalidBody(`The body must be sent as content type ${wanted}.`);
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalidBody('The body must be sent without a content encoding.');
  }
  const bytes = await readBytes(request, bytesMax);
  try {
    return UTF8.decode(bytes);
  } catch {
    throw invalidBody('The body is not valid UTF-8.');
  }
}

/** Reads the raw request body. Throws INVALID_BODY. */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > bytesMax) throw tooLarge(bytesMax);
  if (broken.has(request) || request.destroyed) throw incomplete();
  return await new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let ended = false;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // The rest of a body that is too large is read and discarded, so that a client that is still sending receives the response.
      if (bytes > bytesMax) reject(tooLarge(bytesMax));
      else chunks.push(chunk);
      if (chunks.length > CHUNKS_MAX) chunks = [Buffer.concat(chunks)];
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

/** Parses the JSON of `what`. Throws INVALID_BODY. */
export function parseJson(text: string, what: 'body' | 'input'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody(`The ${what} is not valid JSON.`);
  }
}

function incomplete(): ServiceError {
  return invalidBody('The body is incomplete, arrived too slowly or is malformed HTTP.');
}

function tooLarge(bytesMax: number): ServiceError {
  return invalidBody(`The body is larger than ${bytesMax / 1024} KiB. Send less, for example fewer items.`);
}
