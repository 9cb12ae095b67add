import type { Role } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { normaliseEmail } from './email.ts';
import { membershipsOf } from './member-store.ts';
import { usersLike } from './user-store.ts';

export interface UserRow {
  userId: Id<'usr'>;
  email: string;
  operator: boolean;
  active: boolean;
  totp: boolean;
  /** Invited, and yet to choose a password. */
  pending: boolean;
  createdAt: number;
  signedInAt: number | null;
  memberships: { merchantId: Id<'mer'>; name: string; role: Role }[];
}

/** Users whose e-mail begins as given, by e-mail. */
export async function listUsers(
  deps: Pick<Deps, 'db'>,
  input: { email: string; limit: number; cursor?: string | null | undefined },
): Promise<{ rows: UserRow[]; nextCursor: string | null }> {
  const found = await usersLike(deps.db.read, {
    prefix: normaliseEmail(input.email),
    after: input.cursor ?? null,
    limit: input.limit + 1,
  });
  const users = found.slice(0, input.limit);
  const memberships = Map.groupBy(
    await membershipsOf(
      deps.db.read,
      users.map((user) => user.id),
    ),
    ({ userId }) => userId,
  );
  const rows = users.map((user) => ({
    userId: user.id,
    email: user.email,
    operator: user.operator === 1,
    active: user.active === 1,
    totp: user.totp_secret !== null,
    pending: user.password_hash === null,
    createdAt: user.created_at,
    signedInAt: user.signed_in_at,
    memberships: (memberships.get(user.id) ?? []).map(({ userId: _, ...membership }) => membership),
  }));
  return { rows, nextCursor: found.length > rows.length ? (users.at(-1)?.email ?? null) : null };
}
