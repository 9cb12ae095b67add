import { recordAudit } from '../../src/audit/store.ts';
import { setSignedInAt } from '../../src/backoffice/people/user-store.ts';
import type { AuditAction } from '../../src/db/tables/audit.ts';
import type { Actor } from '../../src/kernel/actor.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { addDomain } from '../../src/merchants/add-domain.ts';
import { rollKey } from '../../src/merchants/roll-key.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { dueBack, mayBeKept } from '../../src/payments/exceptions/exception.ts';
import { keepReceipt } from '../../src/payments/exceptions/keep-receipt.ts';
import { markReturned } from '../../src/payments/exceptions/mark-returned.ts';
import { noteReceipt } from '../../src/payments/exceptions/note-receipt.ts';
import type { Prng } from '../sim/prng.ts';
import type { DemoDeps } from './fill.ts';
import { type AuditedAction, DEMO_DAYS, HOLD_DAYS, type World } from './generate.ts';
import type { Login } from './people.ts';
import { SHOPS } from './shops.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface ScheduledAction {
  at: number;
  by: Actor;
  run: (deps: DemoDeps & { actor: Actor }) => Promise<unknown>;
}

/** Runs what people did in the back office, through the service's verbs, in the order of time. */
export async function runActions(
  deps: DemoDeps,
  world: World,
  logins: readonly Login[],
  actions: readonly AuditedAction[],
): Promise<void> {
  const prng = world.prng.fork('people');
  const scheduled = [
    ...actions.map((audited) => scheduledOf(audited, logins)),
    ...signIns(prng, world, logins),
    ...settings(world, logins),
    ...(await exceptions(deps, prng, world, logins)),
  ];
  for (const { at, by, run } of scheduled.sort((a, b) => a.at - b.at)) {
    if (at >= world.until) continue;
    deps.clock.set(at);
    await run({ ...deps, actor: by });
  }
  deps.clock.set(world.until);
}

function operatorOf(logins: readonly Login[]): Login {
  const operator = logins.find(({ role }) => role === 'operator');
  if (operator === undefined) throw new RangeError('the demo has no operator');
  return operator;
}

function ownerOf(logins: readonly Login[], merchantId: Id<'mer'> | null): Login {
  return (
    logins.find((login) => login.role === 'owner' && login.merchantId === merchantId) ?? operatorOf(logins)
  );
}

function scheduledOf(audited: AuditedAction, logins: readonly Login[]): ScheduledAction {
  const { at, action, merchantId, target } = audited;
  const by = action === 'delivery.resent' ? ownerOf(logins, merchantId) : operatorOf(logins);
  return { at, by: by.actor, run: audit(action, merchantId, target, audited.details) };
}

function audit(
  action: AuditAction,
  merchantId: Id<'mer'> | null,
  target: string | null,
  details?: Record<string, unknown>,
): ScheduledAction['run'] {
  return (deps) =>
    deps.db.unit((tx) =>
      recordAudit(tx, deps, { action, merchantId, target, ...(details !== undefined && { details }) }),
    );
}

/** Signs every user in every few days. */
function signIns(prng: Prng, world: World, logins: readonly Login[]): ScheduledAction[] {
  return logins.flatMap(({ actor }) => {
    const scheduled: ScheduledAction[] = [];
    for (let at = world.until - prng.int(20, 60) * DAY_MS; at < world.until; ) {
      scheduled.push({ at, by: actor, run: (deps) => signIn(deps, actor) });
      at += prng.int(14, 110) * HOUR_MS + prng.int(0, HOUR_MS);
    }
    return scheduled;
  });
}

/** Records a sign-in whose session has ended. */
async function signIn(deps: DemoDeps & { actor: Actor }, { userId }: Actor): Promise<void> {
  await deps.db.unit(async (tx) => {
    if (userId !== null) await setSignedInAt(tx, userId, deps.clock.now());
    await recordAudit(tx, deps, { action: 'user.signed_in', merchantId: null, target: deps.ids('ses') });
  });
}

function settings(world: World, logins: readonly Login[]): ScheduledAction[] {
  const [books, pottery, shoes] = world.merchants;
  if (books === undefined || pottery === undefined || shoes === undefined) return [];
  const ago = (days: number) => world.until - Math.round(days * DAY_MS);
  const operator = operatorOf(logins).actor;
  const [firstShop] = SHOPS;
  return [
    {
      at: ago(DEMO_DAYS - 2),
      by: ownerOf(logins, books).actor,
      run: (deps) => addDomain(deps, books, `loja.${firstShop?.domain}`),
    },
    {
      at: ago(71.3),
      by: ownerOf(logins, pottery).actor,
      run: (deps) => rollKey(deps, pottery, { graceHours: 24 }),
    },
    { at: ago(HOLD_DAYS), by: operator, run: (deps) => setMerchant(deps, shoes, { hold: true }) },
  ];
}

const RETURNED = [
  'Devolvido por transferência, comprovativo no correio.',
  'Cliente avisado; devolvido por MB WAY.',
  'Devolvido por transferência bancária.',
];
const KEPT = [
  'Encomenda enviada na mesma, o cliente confirmou por telefone.',
  'O cliente prefere ficar com o valor em vale.',
  'Enviado. Estava em stock.',
];
const NOTES = [
  'Liguei ao cliente, não atendeu. Tento amanhã.',
  'À espera do IBAN do cliente.',
  'O cliente diz que pagou duas vezes por engano.',
];

/** Settles most exceptions; those of the last days and a few older ones stay open. */
async function exceptions(
  deps: DemoDeps,
  prng: Prng,
  world: World,
  logins: readonly Login[],
): Promise<ScheduledAction[]> {
  const receipts = await deps.db.read
    .selectFrom('receipts as r')
    .innerJoin('transactions as t', 't.id', 'r.transaction_id')
    .selectAll('r')
    .select('t.amount_cents as due_cents')
    .where('r.settlement', 'is', null)
    .where((eb) => eb.or((['late', 'duplicate', 'over'] as const).map((flag) => eb(`r.${flag}`, '=', 1))))
    .orderBy('r.id')
    .execute();
  const operator = operatorOf(logins);
  return receipts.flatMap((receipt): ScheduledAction[] => {
    const at = receipt.recorded_at + prng.int(4, 140) * HOUR_MS;
    const owner = ownerOf(logins, receipt.merchant_id);
    const { actor, role } = prng.chance(0.4) ? operator : owner;
    const author = {
      operator: role === 'operator',
      merchantId: role === 'operator' ? null : receipt.merchant_id,
    };
    const receiptId = receipt.id;
    if (receipt.recorded_at > world.until - 6 * DAY_MS || prng.chance(0.06)) {
      if (!prng.chance(0.4)) return [];
      const order = { receiptId, text: prng.pick(NOTES), internal: false };
      return [{ at, by: actor, run: (then) => noteReceipt(then, author, order) }];
    }
    const back = dueBack(receipt, cents(receipt.due_cents));
    const keep = mayBeKept(receipt) && prng.chance(back === null ? 1 : 0.4);
    if (keep) {
      const order = { receiptId, note: prng.pick(KEPT) };
      return [{ at, by: actor, run: (then) => keepReceipt(then, author, order) }];
    }
    if (back === null) return [];
    const order = { receiptId, amountCents: back, note: prng.pick(RETURNED) };
    return [{ at, by: actor, run: (then) => markReturned(then, author, order) }];
  });
}
