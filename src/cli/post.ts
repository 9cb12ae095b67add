import { Agent, request } from 'undici';
import { errorText } from '../kernel/errors.ts';
import { ATTEMPT_TIMEOUT_MS } from '../webhooks/delivery/schedule.ts';

const SHOWN_LENGTH_MAX = 200;
const READ_BYTES_MAX = 1024 * 1024;

/** What a receiver is sent. */
export interface Post {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What a receiver answered. */
export interface PostAnswer {
  /** Null when no answer came. */
  status: number | null;
  ms: number;
  /** Why a delivery would have failed; null when it would have succeeded. */
  error: string | null;
  /** The start of the answer's text. */
  response: string | null;
}

/** Posts to one address as deliveries are posted, 8 s for the whole exchange; plain http and private addresses are fine. Never throws. */
export function posterTo(url: string): (post: Post) => Promise<PostAnswer> {
  const dispatcher = new Agent({ pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return async ({ headers, body }) => {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    const since = () => Math.round(performance.now() - startedAt);
    try {
      const answer = await request(url, {
        dispatcher,
        method: 'POST',
        // As deliveries do: nothing inflates an answer.
        headers: { ...headers, 'Accept-Encoding': 'identity' },
        body: Buffer.from(body, 'utf8'),
        signal,
      });
      const response = await startOf(answer.body);
      return { status: answer.statusCode, ms: since(), error: faultOf(answer.statusCode), response };
    } catch (error) {
      const late = `no complete answer within ${ATTEMPT_TIMEOUT_MS / 1000} s`;
      return { status: null, ms: since(), error: signal.aborted ? late : errorText(error), response: null };
    }
  };
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirects are not followed' : 'not a 2xx status';
}

async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (text.length < SHOWN_LENGTH_MAX) text += Buffer.from(chunk).toString('utf8');
    if (bytes > READ_BYTES_MAX) throw new Error('the answer is larger than 1 MiB');
  }
  return text.slice(0, SHOWN_LENGTH_MAX);
}
