import { createUser } from '../../src/backoffice/people/create-user.ts';
import { writeMeta } from '../../src/db/meta.ts';
import { demoPassword, makeDemoLogin } from '../../src/demo-login.ts';
import type { Actor } from '../../src/kernel/actor.ts';
import type { Id } from '../../src/kernel/ids.ts';
import type { DemoDeps } from './fill.ts';
import type { OpenShops } from './shops.ts';

export interface Login {
  email: string;
  password: string;
  what: string;
  role: 'operator' | 'owner' | 'viewer';
  merchantId: Id<'mer'> | null;
  actor: Actor;
}

const OPERATOR = 'operador@plataforma.example';
/** Addresses reserved for documentation. */
const ADDRESSES = ['198.51.100.23', '203.0.113.77', '192.0.2.140', '203.0.113.9', '198.51.100.201'];

/** Creates the platform's operator, an owner of each shop and a viewer of the first one. */
export async function createUsers(deps: DemoDeps, { books, pottery, shoes }: OpenShops): Promise<Login[]> {
  const first = books.id;
  await deps.db.unit((tx) => writeMeta(tx, 'demo_merchant', first));
  const owner = `dona@${books.domain}`;
  const made = await makeDemoLogin(deps, first, { owner, operator: OPERATOR });
  if (made === null || made.password === null) throw new Error('the new database has users');
  const { password } = made;
  const logins: Omit<Login, 'actor'>[] = [
    { email: OPERATOR, password, what: 'the platform', role: 'operator', merchantId: null },
    { email: owner, password, what: `owner of ${books.name}`, role: 'owner', merchantId: first },
  ];
  for (const [user, shop, role] of [
    ['balcao', books, 'viewer'],
    ['gerencia', pottery, 'owner'],
    ['gerencia', shoes, 'owner'],
  ] as const) {
    const { id: merchantId, domain } = shop;
    const login = { email: `${user}@${domain}`, role, merchantId, password: demoPassword(deps) };
    await createUser(deps, login);
    logins.push({ ...login, what: `${role} of ${shop.name}` });
  }
  const users = await deps.db.read.selectFrom('users').select(['id', 'email']).execute();
  return logins.map((login, place) => {
    const userId = users.find(({ email }) => email === login.email)?.id ?? null;
    return { ...login, actor: { userId, name: login.email, address: ADDRESSES[place] ?? null } };
  });
}

/** Returns the merchant's owner, or the operator without a merchant. */
export function loginOf(logins: readonly Login[], merchantId: Id<'mer'> | null): Login {
  const login = logins.find((each) => each.merchantId === merchantId && each.role !== 'viewer');
  if (login === undefined) throw new RangeError(`there is no login for ${merchantId ?? 'the operator'}`);
  return login;
}
