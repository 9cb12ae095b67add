import { expect } from 'vitest';
import { createUser, type NewUser } from '../../src/backoffice/people/create-user.ts';
import type { Service } from '../support/harness.ts';

export const PASSWORD = 'three green bicycles';

/** The result of a back office call: a value, or the part of an error that the pages read. */
export interface CallResult {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came over the wire
  value: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  error: any;
}

/** A browser without a window: keeps its cookies and sends its origin. */
export interface Visitor {
  query(name: string, input?: unknown): Promise<CallResult>;
  mutate(name: string, input?: unknown, headers?: Record<string, string>): Promise<CallResult>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  signIn(email: string, password?: string, code?: string): Promise<CallResult>;
  /** The session's cookie as it would be sent; null when there is none. */
  cookie(): string | null;
  takeCookie(cookie: string | null): void;
}

/** A visitor of the back office at `url`, with a client address for a service behind a trusted proxy. */
export function visitor(url: string, address?: string): Visitor {
  let cookie: string | null = null;
  let device: string | null = null;
  const own = () => ({
    ...((cookie !== null || device !== null) && { cookie: [cookie, device].filter(Boolean).join('; ') }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
  });
  const call = async (path: string, init: RequestInit): Promise<CallResult> => {
    const response = await fetch(`${url}/backoffice/trpc/${path}`, init);
    cookie = cookieAfter(response, 'backoffice=', cookie);
    device = cookieAfter(response, 'backoffice-device=', device);
    // biome-ignore lint/suspicious/noExplicitAny: read by tests
    const body = (await response.json()) as any;
    const { status, headers } = response;
    return { status, headers, value: body.result?.data ?? null, error: body.error?.data ?? null };
  };
  const self: Visitor = {
    query: (name, input) =>
      call(input === undefined ? name : `${name}?input=${encodeURIComponent(JSON.stringify(input))}`, {
        headers: own(),
      }),
    mutate: (name, input = {}, headers = {}) =>
      call(name, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-backoffice': '1',
          origin: url,
          ...own(),
          ...headers,
        },
        body: JSON.stringify(input),
      }),
    get: (path, headers) =>
      fetch(`${url}/backoffice${path}`, { headers: { ...own(), ...headers }, redirect: 'manual' }),
    signIn: (email, password = PASSWORD, code) =>
      self.mutate('session.signIn', { email, password, ...(code !== undefined && { code }) }),
    cookie: () => cookie,
    takeCookie(value) {
      cookie = value;
    },
  };
  return self;
}

function cookieAfter(response: Response, name: string, before: string | null): string | null {
  const set = response.headers.getSetCookie().find((line) => line.replace(/^__Host-/, '').startsWith(name));
  if (set === undefined) return before;
  const [pair = ''] = set.split(';');
  return pair.endsWith('=') ? null : pair;
}

let people = 0;

/** Creates a user and signs them in. Resolves to their browser, their e-mail and their id. */
export async function signedIn(
  service: Pick<Service, 'app' | 'url'>,
  who: Pick<NewUser, 'role'> & Partial<NewUser>,
): Promise<Visitor & { email: string; userId: `usr_${string}` }> {
  people += 1;
  const email = who.email ?? `person-${people}@example.pt`;
  const { userId } = await createUser(service.app.deps, {
    email,
    role: who.role,
    merchantId: who.merchantId ?? null,
    password: who.password ?? PASSWORD,
  });
  const browser = visitor(service.url);
  expect(await browser.signIn(email, who.password)).toMatchObject({
    status: 200,
    value: { outcome: 'signed_in' },
  });
  return { ...browser, email, userId };
}
