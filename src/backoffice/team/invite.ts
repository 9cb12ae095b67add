import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { Role, UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { countPost } from '../../http/post-counts-store.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { lockMerchant } from '../../merchants/store.ts';
import { BackofficeError, refused } from '../errors.ts';
import { newUser } from '../people/create-user.ts';
import { typedEmail } from '../people/email.ts';
import { deleteUnusedLinks, listInvites } from '../people/link-store.ts';
import { makeLink } from '../people/links.ts';
import { listMembers } from '../people/member-store.ts';
import { findUserByEmail, insertUser } from '../people/user-store.ts';

const TEAM_MAX = 100;
/** Each invitation sends a mail. */
const MERCHANT_INVITES_PER_HOUR = TEAM_MAX;
const PERSON_INVITES_PER_HOUR = 5;

/**
 * Invites a person to a merchant's team by a one-time link that is valid for 24 hours and replaces an earlier one. The
 * person joins when they use it.
 */
export async function inviteMember(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'actor' | 'queueMail'>,
  merchantId: Id<'mer'>,
  input: { email: string; role: Role },
): Promise<{ link: string }> {
  const email = typedEmail(input.email, 'email');
  return await deps.db.unit((tx) => addInvite(tx, deps, merchantId, { email, role: input.role }));
}

/** Adds an invitation in the caller's transaction. The e-mail must be normalised. */
export async function addInvite(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'random' | 'actor' | 'queueMail'>,
  merchantId: Id<'mer'>,
  { email, role }: { email: string; role: Role },
): Promise<{ link: string }> {
  await lockMerchant(tx, merchantId);
  const user = await findOrInsert(tx, deps, email);
  await requireSpace(tx, deps, merchantId, user);
  await countInvite(tx, deps, merchantId, user.id);
  await deleteUnusedLinks(tx, user.id, { merchantId });
  const invited = { user_id: user.id, kind: 'invite', merchant_id: merchantId, role } as const;
  const link = await makeLink(tx, deps, invited, 'invitation');
  await recordAudit(tx, deps, {
    action: 'member.invited',
    merchantId,
    target: user.id,
    details: { email, role },
  });
  return { link };
}

async function findOrInsert(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, email: string): Promise<UserTable> {
  const made = newUser(deps, email, {
    password_hash: null,
    password_change: 0,
    operator: 0,
    unverified: 1,
  });
  if (await insertUser(tx, made)) return made;
  const found = await findUserByEmail(tx, email);
  if (found === null) throw new Error(`user ${email} cannot be read`);
  return found;
}

async function requireSpace(tx: Tx, { clock }: Pick<Deps, 'clock'>, merchantId: Id<'mer'>, user: UserTable) {
  const members = await listMembers(tx, merchantId);
  if (members.some(({ userId }) => userId === user.id)) {
    throw refused('member_already', `${user.email} is already in the team.`, { fields: ['email'] });
  }
  const invites = await listInvites(tx, merchantId, clock.now());
  const others = invites.filter((invite) => invite.userId !== user.id);
  if (members.length + others.length >= TEAM_MAX) {
    throw refused('team_full', `A team has at most ${TEAM_MAX} people and invitations.`, {
      values: { max: TEAM_MAX },
    });
  }
}

/** Counts an invitation for the merchant and for the person. Throws TOO_MANY_REQUESTS; the rollback undoes the count. */
async function countInvite(tx: Tx, { clock }: Pick<Deps, 'clock'>, merchantId: Id<'mer'>, userId: Id<'usr'>) {
  const now = clock.now();
  const counted = [
    [`invites ${merchantId}`, MERCHANT_INVITES_PER_HOUR],
    [`invites ${merchantId} ${userId}`, PERSON_INVITES_PER_HOUR],
  ] as const;
  for (const [name, max] of counted) {
    const { count, endsAt } = await countPost(tx, name, now, HOUR_MS);
    if (count <= max) continue;
    const seconds = Math.ceil((endsAt - now) / 1000);
    throw new BackofficeError('TOO_MANY_REQUESTS', `Too many invitations. Try again in ${seconds} s.`, {
      reason: 'invites_too_many',
      values: { seconds },
    });
  }
}
