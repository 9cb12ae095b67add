import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { allAccounts } from '../../src/banks/accounts.ts';
import type { EupagoCredentials } from '../../src/banks/eupago/profile.ts';
import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import type { BankAccount } from '../../src/banks/port.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import type { Cents } from '../../src/kernel/money.ts';
import { sortable } from '../../src/sandbox/record.ts';
import { Store } from '../../src/sandbox/store.ts';
import type { DemoDeps } from './fill.ts';

interface PaidPush {
  account_id: BankAccount['id'];
  request_id: string;
  order_id: string;
  amount_cents: Cents;
  refund_cents: Cents;
  paid_at: number;
}

const PAID_PUSHES = `select account_id, request_id, coalesce(bank_order_id, '') as order_id, amount_cents, refund_cents, paid_at
  from receipts where method = 'MBWAY' and request_id is not null order by paid_at`;

/** Adds the payments by MB WAY to the sandbox's file in the folder of `file`, so that they can be refunded. */
export async function fillBank(deps: DemoDeps, file: string): Promise<void> {
  const accounts = new Map((await allAccounts(deps)).map((account) => [account.id, account]));
  const db = new Sqlite(file, { readonly: true });
  const bank = new Store(join(dirname(file), 'sandbox.db'));
  try {
    bank.atomically(() => {
      for (const { account_id, refund_cents, ...paid } of db.prepare<[], PaidPush>(PAID_PUSHES).iterate()) {
        const account = accounts.get(account_id);
        if (account === undefined) throw new Error(`${account_id} is no account`);
        const id = bank.insertPayment({
          ...paid,
          acquirer: account.acquirer,
          entity: 'MBWAY',
          sub_entity: mbwayKeyOf(account),
          reference: paid.order_id,
          paid_local: sortable(lisbonText(paid.paid_at)),
        });
        if (!bank.refundPayment(id, refund_cents))
          throw new Error(`${paid.request_id} is refunded above its amount`);
      }
    });
  } finally {
    bank.close();
    db.close();
  }
}

function mbwayKeyOf({ acquirer, credentials }: BankAccount): string {
  return acquirer === 'eupago'
    ? (credentials as EupagoCredentials).apiKey
    : (credentials as IfthenpayCredentials).mbWayKey;
}
