import type { Progress } from '../../../src/search/store.ts';

const ID_ZEROS = '0'.repeat(26);
/** Progress of the search index after every transaction and attempt. */
const INDEXED: Progress = { led: '', tx: 'tx_~', att: 'att_~', documents: 0, sections: 0 };

/**
 * Returns statements for SQLite and PostgreSQL that insert paid transactions with an event and a due delivery each, as the service's
 * own transaction does; the events have no sequence number yet. Deliveries are numbered from `after` + 1.
 */
export function dueRows(merchantId: string, after: number, count: number): string[] {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const numbered = `with recursive n (place) as (select ${after} + 1 union all select place + 1 from n where place < ${after + count}),
    numbered (id, place) as (select substr('${ID_ZEROS}' || place, length('' || place) + 1), place from n)`;
  const body = `'{"event":"payment.success","timestamp":"${at}","data":{"id":"tx_' || id || '","externalOrderId":"ORDER-' || place
    || '","amount":19.99,"currency":"EUR","paymentMethod":"MBWAY","status":"paid","paidAt":"${at}"}}'`;
  return [
    // The search index adds a payment a minute after it was made, so the payments of a full queue are in it.
    `insert into meta (key, value) values ('search', '${JSON.stringify(INDEXED)}') on conflict (key) do update set value = excluded.value`,
    `insert into transactions (id, merchant_id, order_id, amount_cents, status, held, paid_at, paid_method, store_domain, created_at, events_count)
     ${numbered} select 'tx_' || id, '${merchantId}', 'ORDER-' || place, 1999, 'paid', 0, ${now}, 'MBWAY', 'bench-shop.example', ${now}, 1 from numbered`,
    `insert into events (id, merchant_id, transaction_id, kind, body, created_at)
     ${numbered} select 'evt_' || id, '${merchantId}', 'tx_' || id, 'payment.success', ${body}, ${now} from numbered`,
    `insert into deliveries (id, event_id, merchant_id, transaction_id, kind, state, lane_position, blocked, attempts_count, next_attempt_at, created_at)
     ${numbered} select 'dlv_' || id, 'evt_' || id, '${merchantId}', 'tx_' || id, 'payment.success', 'due', 1, 0, 0, ${now}, ${now} from numbered`,
  ];
}
