import { request } from 'undici';
import { errorText, OperatorError } from '../../kernel/errors.ts';
import { readSse, type SseMessage } from './sse.ts';

const HEADERS_TIMEOUT_MS = 15_000;
/** The service says something at least every 15 s: this long a silence is a dead connection. */
const SILENCE_MAX_MS = 45_000;
const ERROR_LENGTH_MAX = 2000;
const RETRY_SECONDS_MAX = 300;

/** Why there is no stream now, although there may be one later. */
export class StreamLost extends Error {
  override readonly name = 'StreamLost';
  /** When the service said after how many seconds to come again. */
  readonly retrySeconds: number | undefined;

  constructor(what: string, retrySeconds?: number) {
    super(what);
    this.retrySeconds = retrySeconds;
  }
}

export interface StreamAddress {
  /** Of /listen, with its query. */
  url: string;
  key: string;
  /** The number after which to go on; undefined for the beginning that the query asks for. */
  lastEventId: string | undefined;
}

/**
 * The messages of one connection, until it ends. Throws StreamLost when another try may help and OperatorError, with
 * what to do, when it will not.
 */
export async function* connectStream(address: StreamAddress): AsyncGenerator<SseMessage> {
  try {
    const { statusCode, headers, body } = await request(address.url, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${address.key}`,
        ...(address.lastEventId !== undefined && { 'last-event-id': address.lastEventId }),
      },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: SILENCE_MAX_MS,
    });
    if (statusCode !== 200) {
      throw refusal(address.url, statusCode, await startOf(body), headers['retry-after']?.toString());
    }
    if (!headers['content-type']?.toString().startsWith('text/event-stream')) {
      await body.dump({ limit: ERROR_LENGTH_MAX });
      throw notTheService(address.url);
    }
    yield* readSse(body);
  } catch (error) {
    if (error instanceof OperatorError || error instanceof StreamLost) throw error;
    throw new StreamLost(errorText(error));
  }
}

function refusal(
  url: string,
  status: number,
  text: string,
  retryAfter: string | undefined,
): OperatorError | StreamLost {
  const said = saidIn(text);
  if (status === 429 || status >= 500) {
    return new StreamLost(said ?? `it answers ${status}`, secondsIn(retryAfter));
  }
  return said === null ? notTheService(url, status) : new OperatorError(`${status}: ${said}`);
}

/** A proxy may write a date instead, or ask for no wait at all: then ours counts. */
function secondsIn(retryAfter: string | undefined): number | undefined {
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
  return seconds > 0 ? Math.min(seconds, RETRY_SECONDS_MAX) : undefined;
}

function notTheService(url: string, status?: number): OperatorError {
  const { origin } = new URL(url);
  const answers = status === undefined ? 'something else' : `${status}`;
  return new OperatorError(
    `${origin}/listen answers ${answers}: --url is the address of the payment service, such as http://127.0.0.1:8080`,
  );
}

/** The sentence of the service's error body; null when it is none. */
function saidIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    const known = typeof body === 'object' && body !== null && 'error' in body && 'code' in body;
    return known && typeof body.error === 'string' ? body.error : null;
  } catch {
    return null;
  }
}

async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.length > ERROR_LENGTH_MAX) break;
  }
  return text.slice(0, ERROR_LENGTH_MAX);
}
