import { fakeClock } from '../support/fake-clock.ts';
import { adapter, handMadeBank, json } from './support.ts';

export const NOON = Date.UTC(2026, 6, 15, 12);

/** A simulated EuPago: a token, and these answers by the end of the path. */
export async function eupago(answers: Record<string, unknown>, expiresIn = 3600) {
  const clock = fakeClock(NOON);
  const seen: Record<string, string | undefined>[] = [];
  const made = await handMadeBank((request, response) => {
    const { url = '', headers } = request;
    seen.push({ url, authorization: headers.authorization, type: headers['content-type'] });
    if (url === '/api/auth/token')
      return json(response, {
        transactionStatus: 'Success',
        access_token: `t${seen.length}`,
        expires_in: expiresIn,
      });
    const found = Object.entries(answers).find(([path]) => url.includes(path))?.[1];
    const [body, status] = Array.isArray(found) ? (found as [unknown, number]) : [found, 200];
    return found === undefined ? json(response, {}, 404) : json(response, body, status);
  });
  return { ...adapter(made.url, clock), clock, seen, requests: made.requests };
}
