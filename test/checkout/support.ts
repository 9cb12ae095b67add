import { type Answer, call, ORDER, type Service, type TestMerchant } from '../support/harness.ts';

/** Creates a session through REST. */
export function createSession(
  service: Service,
  merchant: Pick<TestMerchant, 'apiKey'>,
  overrides: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(`${service.url}/checkout/v1/sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${merchant.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ ...ORDER, ...overrides }),
  });
}

/** Reads a session through REST. */
export async function readSession(
  service: Service,
  merchant: Pick<TestMerchant, 'apiKey'>,
  sessionId: string,
): Promise<Answer> {
  return call(`${service.url}/checkout/v1/sessions?sessionId=${encodeURIComponent(sessionId)}`, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
  });
}
