import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../db/tables/audit.ts';
import type { Id } from '../../kernel/ids.ts';

export const action = z.enum(AUDIT_ACTIONS);
/** UTC milliseconds; as text in an address. */
export const since = z.coerce.number().int().min(0);

/** What the operator filters by; each may be left out. */
export const auditFilter = z.strictObject({
  merchantId: z
    .string()
    .transform((id) => id as Id<'mer'>)
    .optional(),
  action: action.optional(),
  userId: z
    .string()
    .transform((id) => id as Id<'usr'>)
    .optional(),
  since: since.optional(),
});
