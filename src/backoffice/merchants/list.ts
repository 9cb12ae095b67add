import { COUNTED_MAX } from '../../db/count-rows.ts';
import type { MerchantRow } from '../../db/tables/merchants.ts';
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { dayAfter, lisbonDay } from '../../kernel/lisbon.ts';
import { nameKey } from '../../kernel/person-keys.ts';
import { listDomains } from '../../merchants/store.ts';
import { unicodeNames } from '../domain-names.ts';
import { notFound } from '../errors.ts';
import type { PageInput } from '../rpc.ts';
import { losingMany, undeliveredByMerchant } from '../webhook/store.ts';
import { showBank } from './bank.ts';
import { merchantNamesBefore, merchantsById, paidSince } from './store.ts';

const PAID_DAYS = 30;
/** A search reads the names of at most 20,000 merchants. */
const NAMES_PAGE = 500;
const NAMES_MAX = 20_000;

/** A page of merchants, newest first: the one with the id `text`, or those with a word that begins with `text`. */
export async function listMerchants(deps: Pick<Deps, 'db' | 'clock'>, input: PageInput & { text: string }) {
  const { ids, nextCursor } = await findIds(deps, input);
  return { rows: await viewMerchants(deps, ids), nextCursor };
}

/** The number of merchants that match a search. With `more` there are others, which were not counted. */
export async function countMerchants(deps: Pick<Deps, 'db'>, { text }: { text: string }) {
  const { ids, nextCursor } = await findIds(deps, { text, limit: COUNTED_MAX });
  return { count: ids.length, more: nextCursor !== null };
}

/** One merchant with its settings. Throws NOT_FOUND. */
export async function showMerchant(deps: Pick<Deps, 'db' | 'clock' | 'settings'>, merchantId: Id<'mer'>) {
  const [merchant] = await viewMerchants(deps, [merchantId]);
  if (merchant === undefined) throw notFound();
  const domains = await listDomains(deps.db.read, merchantId);
  return {
    ...merchant,
    domains,
    domainNames: unicodeNames(domains),
    bank: await showBank(deps, merchantId),
  };
}

/** The merchants with these ids, in this order. Amounts in cents, instants in UTC milliseconds. */
async function viewMerchants(deps: Pick<Deps, 'db' | 'clock'>, ids: readonly Id<'mer'>[]) {
  const now = deps.clock.now();
  const db = deps.db.read;
  const merchants = await merchantsById(db, ids);
  const paid = await paidSince(db, ids, dayAfter(lisbonDay(now), 1 - PAID_DAYS));
  const undelivered = await undeliveredByMerchant(db, now - DAY_MS, { ids, limit: ids.length });
  const failing = await losingMany(
    db,
    undelivered.map(({ merchantId }) => merchantId),
  );
  return ids.flatMap((id) => {
    const row = merchants.get(id);
    if (row === undefined) return [];
    return {
      merchantId: id,
      name: row.name,
      active: row.active === 1,
      hold: row.hold === 1,
      refunds: row.refunds === 1,
      refundEvents: row.refund_events === 1,
      webhook: webhookState(row, failing.has(id)),
      webhookUrl: row.webhook_url,
      createdAt: row.created_at,
      firstPaidAt: row.first_paid_at,
      /** Paid in the last 30 Lisbon days. */
      takenCents: paid.get(id)?.cents ?? 0,
      takenCount: paid.get(id)?.count ?? 0,
    };
  });
}

/** `failing`: more than single events of the last 24 hours are undelivered. */
function webhookState(
  row: Pick<MerchantRow, 'webhook_url' | 'webhook_enabled'>,
  failing: boolean,
): 'none' | 'off' | 'on' | 'failing' {
  if (row.webhook_url === null) return 'none';
  if (row.webhook_enabled === 0) return 'off';
  return failing ? 'failing' : 'on';
}

async function findIds(deps: Pick<Deps, 'db'>, input: PageInput & { text: string }) {
  const text = input.text.trim();
  const wanted = nameKey(text);
  const ids: Id<'mer'>[] = [];
  let before = input.cursor ?? null;
  for (let read = 0; read < NAMES_MAX; read += NAMES_PAGE) {
    const names = await merchantNamesBefore(deps.db.read, before, NAMES_PAGE);
    for (const { id, name } of names) {
      if (id !== text && !` ${nameKey(name)}`.includes(` ${wanted}`)) continue;
      if (ids.length === input.limit) return { ids, nextCursor: ids.at(-1) ?? null };
      ids.push(id);
    }
    if (names.length < NAMES_PAGE) return { ids, nextCursor: null };
    before = names.at(-1)?.id ?? null;
  }
  return { ids, nextCursor: before };
}
