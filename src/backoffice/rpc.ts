import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import type { Id } from '../kernel/ids.ts';
import { authorise, type BackofficeMeta } from './authorise.ts';
import type { AtMerchant, BackofficeContext, Scoped, SignedIn } from './context.ts';
import { errorShape, toBackofficeError } from './errors.ts';

const t = initTRPC
  .context<BackofficeContext>()
  .meta<BackofficeMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error, ctx }) => errorShape(toBackofficeError(error), ctx?.requestId ?? ''),
  });

export const createRouter = t.router;

/** The base of every procedure: declares who may call it and checks that before the input is parsed. */
function procedure<Granted extends object>(meta: BackofficeMeta) {
  return t.procedure.meta(meta).use(async ({ ctx, getRawInput, next }) => {
    const granted = await authorise(ctx, meta, async () => membersOf(await getRawInput()).merchantId);
    return await next({ ctx: granted as Granted });
  });
}

const merchantId = z.string().transform((id) => id as Id<'mer'>);
/** Later schemas are strict and leave `merchantId` out. */
const withoutMerchant = t.middleware(async ({ getRawInput, next }) => {
  const { merchantId: _, ...rest } = membersOf(await getRawInput());
  return await next({ getRawInput: async () => rest });
});

const atMerchant = (meta: BackofficeMeta) =>
  procedure<AtMerchant>(meta).input(z.object({ merchantId })).use(withoutMerchant);

/** The same, and with the merchant `null` for operators at all merchants. */
const scoped = (meta: BackofficeMeta) =>
  procedure<Scoped>({ ...meta, orAll: true })
    .input(z.object({ merchantId: merchantId.nullable() }))
    .use(withoutMerchant);

function membersOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}

export const anyone = procedure<object>({ who: 'anyone' });
export const signedIn = procedure<SignedIn>({ who: 'user' });
export const freshUser = procedure<SignedIn>({ who: 'user', fresh: true });
/** Signed in, and perhaps required to change the password or to turn the second factor on first. */
export const changingPassword = procedure<SignedIn>({
  who: 'user',
  beforePasswordChange: true,
  beforeFactor: true,
});
/** Signed in, and perhaps required to turn the second factor on first. */
export const settingUp = procedure<SignedIn>({ who: 'user', beforeFactor: true });
export const freshSettingUp = procedure<SignedIn>({ who: 'user', beforeFactor: true, fresh: true });
/** Viewers and owners of the merchant in the input's `merchantId`; `ctx.merchantId` has been checked. */
export const viewer = atMerchant({ who: 'viewer' });
export const owner = atMerchant({ who: 'owner' });
export const freshOwner = atMerchant({ who: 'owner', fresh: true });
/** The same, or an operator at all merchants; `ctx.merchantId` is then null. */
export const scopedViewer = scoped({ who: 'viewer' });
export const scopedOwner = scoped({ who: 'owner' });
export const freshScopedOwner = scoped({ who: 'owner', fresh: true });
export const operator = procedure<SignedIn>({ who: 'operator' });
export const freshOperator = procedure<SignedIn>({ who: 'operator', fresh: true });

export interface PageInput {
  limit: number;
  cursor?: string | null | undefined;
}

/** The input of every list. The client sends `direction` with each page. */
export const page = {
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(1000).nullish(),
  direction: z.literal('forward').optional(),
};

export const idOf = <Prefix extends string>(_prefix: Prefix) =>
  z
    .string()
    .trim()
    .max(100)
    .transform((id) => id as `${Prefix}_${string}`);

/** The rows of a page out of `found`, which has one extra row when there is another page. */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { page: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { page: rows, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
