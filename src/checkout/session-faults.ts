import { MINUTE_MS } from '../kernel/clock.ts';
import { listDomains } from '../merchants/store.ts';
import type { RequestContext } from '../rpc/context.ts';
import { hasAnswer } from '../rpc/idempotency.ts';
import type { InputIssue } from '../rpc/operation.ts';
import { instantOf } from './contract.ts';
import { returnUrlFault } from './return-url.ts';
import { answerKey } from './store.ts';

const AHEAD_MS_MIN = 5 * MINUTE_MS;
const SANDBOX_AHEAD_MS_MIN = 1000;
const AHEAD_MS_MAX = 30 * 24 * 60 * MINUTE_MS;
/** Allowance for the transit time of a request, so that exactly the minimum lifetime is accepted. */
const TRANSIT_MS = 500;
const AHEAD_RULE = 'must be 5 minutes to 30 days ahead';

/** Returns the faults of members whose rules depend on the settings, the clock or the merchant's domains. */
export async function sessionFaults(ctx: RequestContext, input: unknown): Promise<InputIssue[]> {
  if (typeof input !== 'object' || input === null) return [];
  const members: Partial<Record<string, unknown>> = { ...input };
  const issues: InputIssue[] = [];
  const domains = ctx.merchant.domains ?? (await listDomains(ctx.deps.db.read, ctx.merchant.id));
  const sandbox = ctx.deps.settings.bank === 'sandbox';
  for (const name of ['successUrl', 'cancelUrl']) {
    const value = members[name];
    const message = typeof value === 'string' ? returnUrlFault(value, { sandbox, domains }) : null;
    if (message !== null) issues.push({ path: [name], message });
  }
  const end = typeof members.expiresAt === 'string' ? instantOf(members.expiresAt) : null;
  if (end !== null && !isAhead(end - ctx.deps.clock.now(), sandbox) && !(await isRepeated(ctx))) {
    issues.push({ path: ['expiresAt'], message: AHEAD_RULE });
  }
  return issues;
}

function isAhead(aheadMs: number, sandbox: boolean): boolean {
  const shortest = sandbox ? SANDBOX_AHEAD_MS_MIN : AHEAD_MS_MIN;
  return aheadMs >= shortest - TRANSIT_MS && aheadMs <= AHEAD_MS_MAX;
}

/** Whether a stored answer exists: a repeated call gets it although its `expiresAt` may have become too near. */
async function isRepeated({ deps, merchant, idempotencyKey }: RequestContext): Promise<boolean> {
  return idempotencyKey !== undefined && (await hasAnswer(deps, merchant.id, answerKey(idempotencyKey)));
}
