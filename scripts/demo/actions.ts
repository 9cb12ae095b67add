import { sql } from 'kysely';
import { recordAudit } from '../../src/audit/store.ts';
import { requireUser, setSignedInAt } from '../../src/backoffice/people/user-store.ts';
import type { Actor } from '../../src/kernel/actor.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { cents } from '../../src/kernel/money.ts';
import { addDomain } from '../../src/merchants/domains.ts';
import { rollKey } from '../../src/merchants/keys.ts';
import { dueBack, mayBeKept } from '../../src/payments/exceptions/exception.ts';
import { noteReceipt } from '../../src/payments/exceptions/note-receipt.ts';
import { keepReceipt, markReturned } from '../../src/payments/exceptions/settle-receipt.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import type { Prng } from '../sim/prng.ts';
import { DELIVERY_MAX_MS } from './deliveries.ts';
import type { DemoDeps } from './fill.ts';
import { DEMO_DAYS } from './orders.ts';
import { type Login, loginOf } from './people.ts';
import { refundActions } from './refunds.ts';
import type { OpenShops } from './shops.ts';

const OPEN_DAYS = 6;
/** The share of older exceptions that stay open. */
const OPEN_SHARE = 0.15;

const RETURNED = ['Devolvido por transferência bancária.', 'Cliente avisado; devolvido por MB WAY.'];
const KEPT = [
  'Encomenda enviada na mesma, o cliente confirmou por telefone.',
  'O cliente prefere ficar com o valor em vale.',
];
const NOTES = ['Liguei ao cliente, não atendeu. Tento amanhã.', 'À espera do IBAN do cliente.'];

export type ActingDeps = DemoDeps & { actor: Actor };

export interface Action {
  at: number;
  by: Login;
  run: (deps: ActingDeps) => Promise<unknown>;
}

/** Returns what users do in the back office, by the state that the orders left. */
export async function peopleActions(
  deps: DemoDeps,
  prng: Prng,
  shops: OpenShops,
  logins: readonly Login[],
): Promise<Action[]> {
  const { until } = deps;
  const own = prng.fork('people');
  const actions = [
    ...logins.flatMap((login) => signIns(own, until, login)),
    ...settingChanges(until, shops, logins),
    ...(await resends(deps, own, logins)),
    ...(await settlements(deps, own, logins)),
    ...(await refundActions(deps, prng.fork('refunds'), logins)),
  ];
  return actions.filter(({ at }) => at < until - DELIVERY_MAX_MS);
}

/** Owners resend most undelivered events within a day; those of the last day are not resent. */
async function resends({ db, until }: DemoDeps, prng: Prng, logins: readonly Login[]): Promise<Action[]> {
  const missed = await db.read
    .selectFrom('deliveries')
    .select(['id', 'merchant_id', 'finished_at'])
    .where('state', '=', 'undelivered')
    .where('finished_at', '<', until - DAY_MS)
    .orderBy('id')
    .execute();
  return missed
    .filter(() => prng.chance(0.9))
    .map(({ id, merchant_id, finished_at }) => ({
      at: (finished_at ?? 0) + prng.int(2, 20) * HOUR_MS,
      by: loginOf(logins, merchant_id),
      run: (then) => resendDelivery(then, id),
    }));
}

/** Signs the user in every few days; the sessions have ended. */
function signIns(prng: Prng, until: number, login: Login): Action[] {
  const { userId } = login.actor;
  const actions: Action[] = [];
  const run: Action['run'] = (deps) =>
    deps.db.unit(async (tx) => {
      if (userId !== null) await setSignedInAt(tx, await requireUser(tx, userId), deps.clock.now());
      await recordAudit(tx, deps, { action: 'user.signed_in', merchantId: null, target: deps.ids('ses') });
    });
  for (let at = until - prng.int(20, 60) * DAY_MS; at < until; at += prng.int(14 * HOUR_MS, 110 * HOUR_MS)) {
    actions.push({ at, by: login, run });
  }
  return actions;
}

function settingChanges(until: number, { books, pottery }: OpenShops, logins: readonly Login[]): Action[] {
  return [
    {
      at: until - (DEMO_DAYS - 2) * DAY_MS,
      by: loginOf(logins, books.id),
      run: (deps) => addDomain(deps, books.id, 'loja.livrariadocais.example'),
    },
    {
      at: until - 71 * DAY_MS,
      by: loginOf(logins, pottery.id),
      run: (deps) => rollKey(deps, pottery.id, { graceHours: 24 }),
    },
  ];
}

/** Settles most exceptions of ended transactions; those of the last days and a few older ones stay open. */
async function settlements({ db, until }: DemoDeps, prng: Prng, logins: readonly Login[]): Promise<Action[]> {
  const receipts = await db.read
    .selectFrom('receipts as r')
    .innerJoin('transactions as t', 't.id', 'r.transaction_id')
    .selectAll('r')
    .select('t.amount_cents as due_cents')
    .where('t.status', '<>', 'pending')
    .where('t.held', '=', 0)
    .where(sql<boolean>`r.late + r.duplicate + r.under + r.over > 0`)
    .orderBy('r.id')
    .execute();
  return receipts.flatMap((receipt): Action[] => {
    const at = receipt.recorded_at + prng.int(4, 140) * HOUR_MS;
    const by = loginOf(logins, prng.chance(0.4) ? null : receipt.merchant_id);
    const author = { operator: by.role === 'operator', merchantId: by.merchantId };
    const receiptId = receipt.id;
    if (receipt.recorded_at > until - OPEN_DAYS * DAY_MS || prng.chance(OPEN_SHARE)) {
      const order = { receiptId, text: prng.pick(NOTES), internal: false };
      return prng.chance(0.4) ? [{ at, by, run: (then) => noteReceipt(then, author, order) }] : [];
    }
    const amountCents = dueBack(receipt, cents(receipt.due_cents));
    if (amountCents === null || (mayBeKept(receipt) && prng.chance(0.4))) {
      return [{ at, by, run: (then) => keepReceipt(then, author, { receiptId, note: prng.pick(KEPT) }) }];
    }
    const order = { receiptId, amountCents, note: prng.pick(RETURNED) };
    return [{ at, by, run: (then) => markReturned(then, author, order) }];
  });
}
