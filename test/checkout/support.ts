import { expect } from 'vitest';
import { type Answer, call, jsonPost, ORDER, type Service, type TestMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';

/** Creates a session through REST. */
export function createSession(
  service: Pick<Service, 'url'>,
  merchant: Pick<TestMerchant, 'apiKey'>,
  overrides: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const authorization = `Bearer ${merchant.apiKey}`;
  const post = jsonPost({ ...ORDER, ...overrides }, { authorization, ...headers });
  return call(`${service.url}/checkout/v1/sessions`, post);
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

/** A payment link without limits: any amount, any number of uses. */
export const NO_TERMS = { amount: null, min: null, max: null, orderId: null, uses: null, expiresAt: null };

/** Posts a form of the page, and does not follow the redirect. */
export function postForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });
}

/** Creates a session and lets a shopper visit its page. */
export async function visitPage(
  service: Service,
  merchant: TestMerchant,
  overrides: Record<string, unknown>,
) {
  const { body } = await createSession(service, merchant, overrides);
  const { sessionId, url }: { sessionId: string; url: string } = body;
  const page = async () => {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    return await answer.text();
  };
  return {
    sessionId,
    url,
    page,
    step: (fields: Record<string, string>, headers?: Record<string, string>) =>
      postForm(url, fields, headers),
    state: async (): Promise<Record<string, string>> =>
      (await readSession(service, merchant, sessionId)).body,
    /** Waits until the page has this text. */
    shows: (text: string) =>
      until(async () => {
        const shown = await page();
        return shown.includes(text) ? shown : null;
      }, `the page to show ${text}`),
  };
}
