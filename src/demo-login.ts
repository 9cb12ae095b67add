import { createUser } from './backoffice/people/create-user.ts';
import { readableText } from './backoffice/people/readable-text.ts';
import { findUserByEmail } from './backoffice/people/user-store.ts';
import { readMeta, writeMeta } from './db/meta.ts';
import type { Deps } from './deps.ts';
import { OperatorError } from './kernel/errors.ts';
import type { Id } from './kernel/ids.ts';

/**
 * The logins that a start with the sandbox prints. The random password is stored encrypted with the hashes of both users, so that
 * later starts print it until a user changes it.
 */
export interface DemoLogin {
  owner: string;
  operator: string;
  /** The password of both users; null once either has changed it. */
  password: string | null;
}

interface StoredLogin {
  owner: string;
  operator: string;
  password: string;
  hashes: string[];
}

const PLACE = 'meta.demo_login';

type LoginDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'random' | 'box' | 'passwordCost' | 'settings' | 'queueMail'
>;

/** Returns a password of about 74 bits. */
export function demoPassword(deps: Pick<Deps, 'random'>): string {
  return readableText(deps.random, 3);
}

/** Creates an owner of the merchant and an operator with the same password; returns null when one of the e-mails has a user. */
export async function makeDemoLogin(
  deps: LoginDeps,
  merchantId: Id<'mer'>,
  emails: { owner: string; operator: string },
): Promise<DemoLogin | null> {
  if ((await hashesOf(deps, emails)).some((hash) => hash !== '')) return null;
  const password = demoPassword(deps);
  try {
    await createUser(deps, { email: emails.operator, role: 'operator', merchantId: null, password });
  } catch (error) {
    // Another process, started at the same time, creates both users.
    if (error instanceof OperatorError) return null;
    throw error;
  }
  await createUser(deps, { email: emails.owner, role: 'owner', merchantId, password });
  const stored: StoredLogin = { ...emails, password, hashes: await hashesOf(deps, emails) };
  await deps.db.unit((tx) => writeMeta(tx, 'demo_login', deps.box.encrypt(JSON.stringify(stored), PLACE)));
  return { ...emails, password };
}

export async function readDemoLogin(deps: LoginDeps): Promise<DemoLogin | null> {
  const encrypted = await readMeta(deps.db.read, 'demo_login');
  if (encrypted === null) return null;
  const { password, hashes, ...emails } = JSON.parse(deps.box.decrypt(encrypted, PLACE)) as StoredLogin;
  const unchanged = (await hashesOf(deps, emails)).join() === hashes.join();
  return { ...emails, password: unchanged ? password : null };
}

async function hashesOf(
  { db }: Pick<Deps, 'db'>,
  { owner, operator }: Pick<StoredLogin, 'owner' | 'operator'>,
): Promise<string[]> {
  const users = [await findUserByEmail(db.read, owner), await findUserByEmail(db.read, operator)];
  return users.map((user) => user?.password_hash ?? '');
}
