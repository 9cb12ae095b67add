import type { MerchantTable } from '../../db/tables/tables.ts';
import type { Deps } from '../../deps.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { lisbonDay } from '../../kernel/lisbon.ts';
import { nameKey } from '../../kernel/person-keys.ts';
import { merchantNames, merchantsById, merchantsUndelivered, takenSince } from './store.ts';

const DAY_MS = 86_400_000;
const DAYS_TAKEN = 30;
/** Names are read by so many; a merchant is made by hand, so there are thousands at most. */
const NAMES_PAGE = 500;
const NAMES_MAX = 20_000;

/** `failing`: an event of the last 24 hours reached nobody. */
export type WebhookState = 'none' | 'off' | 'on' | 'failing';

/** A merchant in the operator's list. Amounts in cents, instants in UTC milliseconds. */
export interface ListedMerchant {
  merchantId: Id<'mer'>;
  name: string;
  active: boolean;
  hold: boolean;
  webhook: WebhookState;
  createdAt: number;
  firstPaidAt: number | null;
  /** Paid in the last 30 Lisbon days, today included. */
  takenCents: number;
  takenCount: number;
}

/** A page of merchants, the newest first: those of this id, or with a word of their name that begins with the text. */
export async function listMerchants(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { text: string; limit: number; cursor: string | null },
): Promise<{ rows: ListedMerchant[]; nextCursor: string | null }> {
  const { ids, nextCursor } = await findIds(deps, input);
  return { rows: await listed(deps, ids), nextCursor };
}

/** These merchants as they are listed, in the order given; those that are not there are left out. */
export async function listed(
  deps: Pick<Deps, 'db' | 'clock'>,
  ids: readonly Id<'mer'>[],
): Promise<ListedMerchant[]> {
  const now = deps.clock.now();
  const db = deps.db.read;
  const merchants = await merchantsById(db, ids);
  const taken = await takenSince(db, ids, lisbonDay(now - (DAYS_TAKEN - 1) * DAY_MS));
  const failing = await merchantsUndelivered(db, ids, idFloor('dlv', now - DAY_MS));
  return ids.flatMap((id) => {
    const row = merchants.get(id);
    if (row === undefined) return [];
    return {
      merchantId: id,
      name: row.name,
      active: row.active === 1,
      hold: row.hold === 1,
      webhook: webhookState(row, failing.has(id)),
      createdAt: Number(row.created_at),
      firstPaidAt: row.first_paid_at === null ? null : Number(row.first_paid_at),
      takenCents: taken.get(id)?.cents ?? 0,
      takenCount: taken.get(id)?.count ?? 0,
    };
  });
}

function webhookState(
  row: Pick<MerchantTable, 'webhook_url' | 'webhook_enabled'>,
  failing: boolean,
): WebhookState {
  if (row.webhook_url === null) return 'none';
  if (row.webhook_enabled === 0) return 'off';
  return failing ? 'failing' : 'on';
}

async function findIds(
  deps: Pick<Deps, 'db'>,
  input: { text: string; limit: number; cursor: string | null },
): Promise<{ ids: Id<'mer'>[]; nextCursor: string | null }> {
  const text = input.text.trim();
  const wanted = nameKey(text);
  const ids: Id<'mer'>[] = [];
  let before = input.cursor;
  for (let read = 0; read < NAMES_MAX; read += NAMES_PAGE) {
    const page = await merchantNames(deps.db.read, before, NAMES_PAGE);
    for (const { id, name } of page) {
      if (id !== text && !hasWord(nameKey(name), wanted)) continue;
      if (ids.length === input.limit) return { ids, nextCursor: ids.at(-1) ?? null };
      ids.push(id);
    }
    if (page.length < NAMES_PAGE) return { ids, nextCursor: null };
    before = page.at(-1)?.id ?? null;
  }
  return { ids, nextCursor: before };
}

function hasWord(name: string, wanted: string): boolean {
  return name.startsWith(wanted) || name.includes(` ${wanted}`);
}
