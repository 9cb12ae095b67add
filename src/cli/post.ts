import { Agent, buildConnector, request } from 'undici';
import { errorText } from '../kernel/errors.ts';
import { ATTEMPT_TIMEOUT_MS } from '../webhooks/delivery/schedule.ts';
import { AnswerTooLarge, limitReceived, RECEIVED_BYTES_MAX } from '../webhooks/transport/transport.ts';

const RESPONSE_LENGTH_MAX = 200;

export interface Post {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface PostAnswer {
  /** Null without a response. */
  status: number | null;
  ms: number;
  /** Why a delivery would have failed, or null. */
  error: string | null;
  /** The start of the response body. */
  response: string | null;
}

/** Whether a delivery with this answer succeeds. */
export function isAccepted({ error }: PostAnswer): boolean {
  return error === null;
}

/** Returns a function that posts to `url` as a delivery does, but admits http and private addresses. It never throws. */
export function posterTo(url: string): (post: Post) => Promise<PostAnswer> {
  const connect = limitReceived(buildConnector({ timeout: ATTEMPT_TIMEOUT_MS, allowH2: false }));
  const dispatcher = new Agent({ connect, allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return async ({ headers, body }) => {
    const startedAt = performance.now();
    const elapsedMs = () => Math.round(performance.now() - startedAt);
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    try {
      const answer = await request(url, {
        dispatcher,
        method: 'POST',
        // Deliveries do not accept compressed responses.
        headers: { ...headers, 'Accept-Encoding': 'identity' },
        body: Buffer.from(body, 'utf8'),
        signal,
      });
      const response = await startOf(answer.body);
      return { status: answer.statusCode, ms: elapsedMs(), error: faultOf(answer.statusCode), response };
    } catch (error) {
      const timeout = `no complete response within ${ATTEMPT_TIMEOUT_MS / 1000} s`;
      const reason = signal.aborted ? timeout : errorText(error);
      return { status: null, ms: elapsedMs(), error: reason, response: null };
    }
  };
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirects are not followed' : 'not a 2xx status';
}

/** The start of a body, which is read to its end. */
export async function startOf(
  body: AsyncIterable<Uint8Array>,
  lengthMax = RESPONSE_LENGTH_MAX,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (text.length < lengthMax) text += decoder.decode(chunk, { stream: true });
    if (bytes > RECEIVED_BYTES_MAX) throw new AnswerTooLarge();
  }
  return text.slice(0, lengthMax);
}
