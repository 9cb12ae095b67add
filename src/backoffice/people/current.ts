import { readFileSync } from 'node:fs';
import type { Role } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';
import type { BackofficeContext, User } from '../context.ts';
import { listMemberships } from './member-store.ts';

export interface Membership {
  merchantId: Id<'mer'>;
  name: string;
  role: Role;
}

export interface CurrentSession {
  /** Null when nobody is signed in. */
  user: User | null;
  /** At most 500, by name; none for an operator, who may go everywhere. */
  memberships: Membership[];
  /** True: TEST MONEY. */
  sandbox: boolean;
  version: string;
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export async function currentSession({ deps, user }: BackofficeContext): Promise<CurrentSession> {
  return {
    user,
    memberships: user === null || user.operator ? [] : await listMemberships(deps.db.read, user.id),
    sandbox: deps.settings.bank === 'sandbox',
    version,
  };
}
