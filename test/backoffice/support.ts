import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { createUser, type NewUser } from '../../src/backoffice/people/create-user.ts';
import { resetUser } from '../../src/backoffice/people/reset-user.ts';
import { hashToken, newToken } from '../../src/backoffice/people/session.ts';
import { insertSession } from '../../src/backoffice/people/session-store.ts';
import type { AuditTable } from '../../src/db/tables/audit.ts';
import type { Id } from '../../src/kernel/ids.ts';
import type { ReceiptDecision } from '../../src/payments/transaction.ts';
import { jsonPost, type Service } from '../support/harness.ts';

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
      call(name, jsonPost(input, { 'x-backoffice': '1', origin: url, ...own(), ...headers })),
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

/** The entries of the audit log with these values, oldest first. */
export async function auditLog(
  { app }: Pick<Service, 'app'>,
  values: Partial<Pick<AuditTable, 'action' | 'target' | 'merchant_id'>> = {},
): Promise<AuditTable[]> {
  const entries = app.deps.db.read.selectFrom('audit_log').selectAll();
  return await entries
    .where((eb) => eb.and(values))
    .orderBy('id')
    .execute();
}

/** The rows of all pages of a list. */
export async function allRows<Row>(
  read: (cursor: string | null) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(cursor);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

/** The code that an authenticator with this secret shows. */
export function totpCode(secret: string, at = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}

/** Turns the second factor on. Resolves to its secret. */
export async function turnTotpOn(person: Visitor, at = Date.now()): Promise<string> {
  const { secret } = (await person.mutate('account.totpBegin')).value;
  const code = totpCode(secret, at);
  expect(await person.mutate('account.totpEnable', { code })).toMatchObject({ status: 200 });
  return secret;
}

/** The token of a new reset link. */
export async function resetToken(
  { app }: Pick<Service, 'app'>,
  email: string,
  totp = false,
): Promise<string> {
  const { link } = await resetUser(app.deps, { email }, { totp });
  return link.split('#')[1] ?? '';
}

/** Starts a session, as by a sign-in `ago` milliseconds before. Resolves to the cookie's token. */
export async function startedSession(
  { app }: Pick<Service, 'app'>,
  userId: Id<'usr'>,
  { ago = 0, userAgent = '' } = {},
): Promise<string> {
  const { db, clock, ids, random } = app.deps;
  const token = newToken(random);
  const now = clock.now();
  await db.unit((tx) =>
    insertSession(tx, {
      id: ids('ses'),
      user_id: userId,
      token_hash: hashToken(token),
      created_at: now - ago,
      seen_at: now,
      expires_at: now + 3_600_000,
      verified_at: now - ago,
      address: '127.0.0.1',
      user_agent: userAgent,
      passkey_id: null,
    }),
  );
  return token;
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

/** A merchant and its owner, who is signed in. */
export async function shopWithOwner(service: Service, options: Parameters<Service['merchant']>[0] = {}) {
  const merchant = await service.merchant(options);
  const { merchantId } = merchant;
  return { merchant, merchantId, owner: await signedIn(service, { role: 'owner', merchantId }) };
}

/** What a dialog sends of the preview of an assignment. */
export const effectOf = ({ settlement, flags }: ReceiptDecision) => ({ settlement, flags });
