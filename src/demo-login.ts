import { createUser } from './backoffice/people/create-user.ts';
import { findUserByEmail } from './backoffice/people/user-store.ts';
import { readMeta, writeMeta } from './db/meta.ts';
import type { Deps } from './deps.ts';
import type { Id } from './kernel/ids.ts';
import { randomText } from './kernel/random.ts';

/**
 * The logins that a start with the sandbox prints. Their password is random and needs no change; it is kept sealed, with
 * the hashes that it made, so that later starts can print it again for as long as nobody changed it. Only whoever reads the start's
 * output learns it, and a database of the sandbox can never become one of a real bank.
 */
export interface DemoLogin {
  owner: string;
  operator: string;
  /** Of both; null once somebody chose another for one of them. */
  password: string | null;
}

interface Kept {
  owner: string;
  operator: string;
  password: string;
  hashes: string[];
}

const PLACE = 'meta.demo_login';
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 3;
const GROUP_LENGTH = 5;

type LoginDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'box' | 'passwordCost'>;

/** A password that can be typed from a screen, some 74 bits. */
export function demoPassword(deps: Pick<Deps, 'random'>): string {
  return Array.from({ length: GROUPS }, () => randomText(deps.random, GROUP_LENGTH, LETTERS)).join('-');
}

/** Makes the merchant's owner and an operator, with one password for both; null when there is a user of these e-mails already. */
export async function makeDemoLogin(
  deps: LoginDeps,
  merchantId: Id<'mer'>,
  emails: { owner: string; operator: string },
): Promise<DemoLogin | null> {
  if ((await hashesOf(deps, emails)).some((hash) => hash !== '')) return null;
  const password = demoPassword(deps);
  await Promise.all([
    createUser(deps, { email: emails.owner, role: 'owner', merchantId, password }),
    createUser(deps, { email: emails.operator, role: 'operator', merchantId: null, password }),
  ]);
  const kept: Kept = { ...emails, password, hashes: await hashesOf(deps, emails) };
  await deps.db.unit((tx) => writeMeta(tx, 'demo_login', deps.box.seal(JSON.stringify(kept), PLACE)));
  return { ...emails, password };
}

/** The logins that were made, or null. */
export async function readDemoLogin(deps: LoginDeps): Promise<DemoLogin | null> {
  const sealed = await readMeta(deps.db.read, 'demo_login');
  if (sealed === null) return null;
  const { password, hashes, ...emails } = JSON.parse(deps.box.open(sealed, PLACE)) as Kept;
  const unchanged = (await hashesOf(deps, emails)).join() === hashes.join();
  return { ...emails, password: unchanged ? password : null };
}

async function hashesOf(
  { db }: Pick<Deps, 'db'>,
  { owner, operator }: Pick<Kept, 'owner' | 'operator'>,
): Promise<string[]> {
  const users = [await findUserByEmail(db.read, owner), await findUserByEmail(db.read, operator)];
  return users.map((user) => user?.password_hash ?? '');
}
