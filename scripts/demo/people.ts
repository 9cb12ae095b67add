import { createUser } from '../../src/backoffice/people/create-user.ts';
import { writeMeta } from '../../src/db/meta.ts';
import { demoPassword, makeDemoLogin } from '../../src/demo-login.ts';
import type { Actor } from '../../src/kernel/actor.ts';
import type { Id } from '../../src/kernel/ids.ts';
import type { DemoDeps } from './fill.ts';
import { SHOPS } from './shops.ts';

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

/** Operator's operator, an owner of each shop, and somebody at the till who may only look. */
export async function createUsers(deps: DemoDeps, merchants: readonly Id<'mer'>[]): Promise<Login[]> {
  const [first, ...others] = merchants;
  const [shop, ...otherShops] = SHOPS;
  if (first === undefined || shop === undefined) throw new RangeError('there is no shop');
  await deps.db.unit((tx) => writeMeta(tx, 'demo_merchant', first));
  const owner = `dona@${shop.domain}`;
  const password = (await makeDemoLogin(deps, first, { owner, operator: OPERATOR }))?.password ?? null;
  if (password === null) throw new Error('a new database has no users');
  const logins: Omit<Login, 'actor'>[] = [
    { email: OPERATOR, password, what: 'the platform', role: 'operator', merchantId: null },
    { email: owner, password, what: `owner of ${shop.name}`, role: 'owner', merchantId: first },
  ];
  const more = [
    { email: `balcao@${shop.domain}`, role: 'viewer' as const, shop, merchantId: first },
    ...others.flatMap((merchantId, place) => {
      const other = otherShops[place];
      return other === undefined
        ? []
        : [{ email: `gerencia@${other.domain}`, role: 'owner' as const, shop: other, merchantId }];
    }),
  ];
  for (const { email, role, shop: at, merchantId } of more) {
    const made = demoPassword(deps);
    await createUser(deps, { email, role, merchantId, password: made });
    logins.push({ email, password: made, what: `${role} of ${at.name}`, role, merchantId });
  }
  const users = await deps.db.read.selectFrom('users').select(['id', 'email']).execute();
  const ids = new Map(users.map(({ id, email }) => [email, id]));
  return logins.map((login, place) => ({
    ...login,
    actor: { userId: ids.get(login.email) ?? null, name: login.email, address: ADDRESSES[place] ?? null },
  }));
}
