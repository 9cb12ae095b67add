import { request } from 'undici';
import { errorText, OperatorError } from '../../kernel/errors.ts';
import { startOf } from '../post.ts';
import { readSse, type SseMessage } from './sse.ts';

const HEADERS_TIMEOUT_MS = 15_000;
/** The service writes at least every 15 s. */
const BODY_TIMEOUT_MS = 45_000;
const ERROR_LENGTH_MAX = 2000;
const RETRY_SECONDS_MAX = 300;

/** The stream is unavailable now; a later attempt can succeed. */
export class StreamLost extends Error {
  override readonly name = 'StreamLost';
  /** The service's `Retry-After`. */
  readonly retrySeconds: number | undefined;

  constructor(message: string, retrySeconds?: number) {
    super(message);
    this.retrySeconds = retrySeconds;
  }
}

export interface StreamAddress {
  /** The URL of /listen with its query. */
  url: string;
  key: string;
  /** The id of the last event consumed; undefined to start where the query specifies. */
  lastEventId: string | undefined;
}

/** Yields the messages of one connection. Throws StreamLost when a retry can help, else OperatorError. */
export async function* connectStream(address: StreamAddress): AsyncGenerator<SseMessage> {
  try {
    const { statusCode, headers, body } = await request(address.url, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${address.key}`,
        ...(address.lastEventId !== undefined && { 'last-event-id': address.lastEventId }),
      },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
    });
    if (statusCode !== 200) {
      const text = await startOf(body, ERROR_LENGTH_MAX);
      throw refusal(address.url, statusCode, text, headers['retry-after']?.toString());
    }
    if (!headers['content-type']?.toString().startsWith('text/event-stream')) {
      await body.dump({ limit: ERROR_LENGTH_MAX });
      throw notTheService(address.url, 'another kind of content');
    }
    yield* readSse(body);
  } catch (error) {
    if (error instanceof OperatorError || error instanceof StreamLost) throw error;
    throw new StreamLost(errorText(error));
  }
}

function refusal(url: string, status: number, text: string, retryAfter = ''): OperatorError | StreamLost {
  const sentence = errorSentence(text);
  if (status === 429 || status >= 500) {
    // A proxy can send a date or 0; the back-off applies then.
    const seconds = /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter), RETRY_SECONDS_MAX) : 0;
    return new StreamLost(sentence ?? `it answers ${status}`, seconds || undefined);
  }
  return sentence === null ? notTheService(url, String(status)) : new OperatorError(`${status}: ${sentence}`);
}

function notTheService(url: string, answer: string): OperatorError {
  return new OperatorError(
    `${new URL(url).origin}/listen answers ${answer}; --url must be the address of the payment service, such as http://127.0.0.1:8080`,
  );
}

/** The message of the service's error body, or null for any other body. */
function errorSentence(text: string): string | null {
  try {
    const body = JSON.parse(text);
    return typeof body?.error === 'string' && 'code' in body ? body.error : null;
  } catch {
    return null;
  }
}
