import { z } from 'zod';
import { type Id, idFloor } from '../../kernel/ids.ts';
import type { UserContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { requireUser, setBankSeen } from '../people/user-store.ts';
import { createRouter, idOf, operator } from '../rpc.ts';
import { showSystem } from './show.ts';
import { bankChangesAfter, isBankChange } from './store.ts';

const NOTICES_MAX = 10;

export const systemRouter = createRouter({
  show: operator.query(({ ctx }) => showSystem(ctx.deps)),
  bankNotices: operator.query(({ ctx }) => listBankNotices(ctx)),
  dismissBankNotices: operator
    .input(z.strictObject({ through: idOf('aud') }))
    .mutation(({ ctx, input }) => dismissBankNotices(ctx, input.through)),
});

/** The changes of bank accounts that the caller has not dismissed, newest first. */
async function listBankNotices({ deps, user }: UserContext) {
  const { bank_seen, created_at } = await requireUser(deps.db.read, user.id);
  return await bankChangesAfter(deps.db.read, bank_seen ?? idFloor('aud', created_at), NOTICES_MAX);
}

/** Dismisses the changes up to this one for the caller. Other operators keep seeing them. */
async function dismissBankNotices({ deps, user }: UserContext, through: Id<'aud'>): Promise<void> {
  // A fabricated id would hide future changes.
  if (!(await isBankChange(deps.db.read, through))) throw notFound();
  await deps.db.unit((tx) => setBankSeen(tx, user.id, through));
}
