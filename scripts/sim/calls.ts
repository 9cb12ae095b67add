import { ServiceError } from '../../src/kernel/errors.ts';
import { selectMerchant } from '../../src/merchants/store.ts';
import type { Merchant } from '../../src/rpc/context.ts';
import { DatabaseFault } from './database.ts';
import type { Service } from './service.ts';
import type { ShopId, World } from './world.ts';

const USUAL_REFUSALS = new Set([
  'TRANSACTION_NOT_PENDING',
  'MBWAY_PUSH_OPEN',
  'MBWAY_PHONE_REJECTED',
  'BANK_UNAVAILABLE',
  'BANK_OUTCOME_UNKNOWN',
  'BANK_REFUSED',
  'AMOUNT_BELOW_METHOD_LIMIT',
]);

/** Ends the run, unless the process died or the database failed. */
export function failCall(world: World, service: Service, name: string, error: unknown): void {
  if (service.dead || error instanceof DatabaseFault) return;
  const fault = error instanceof Error ? error.stack : error;
  world.fail('no call fails unexpectedly', `${name}: ${fault}`);
}

/** Sends a call to the current process. Returns false when no process accepts it. An unexpected refusal ends the run. */
export function sendCall(
  world: World,
  name: string,
  detail: string,
  run: (service: Service) => Promise<unknown>,
): boolean {
  const service = world.accepting(name);
  if (service === null) return false;
  world.note(name, detail);
  const answered = (what: string) => {
    if (service.dead) return;
    world.note(`${name} answered`, what);
    world.count(`${name} ${what}`);
  };
  run(service.ofCalls).then(
    () => answered('ok'),
    (error: unknown) => {
      const code = error instanceof ServiceError ? error.code : null;
      answered(code ?? String(error));
      if (code === null || !USUAL_REFUSALS.has(code)) failCall(world, service, name, error);
    },
  );
  return true;
}

/** Calls as a merchant. */
export function asMerchant(shop: ShopId, run: (service: Service, merchant: Merchant) => Promise<void>) {
  return async (service: Service) => run(service, await merchantOf(service, shop));
}

export async function merchantOf(service: Service, id: ShopId): Promise<Merchant> {
  const row = await selectMerchant(service.deps.db.read, id);
  if (row === null) throw new Error(`merchant ${id} does not exist`);
  return {
    id: row.id,
    keyId: 'key_',
    name: row.name,
    firstPaidAt: row.first_paid_at,
    domains: null,
  };
}

/** The body of an order; the customer's address identifies the order. */
export function inputOf({ orderId, amount }: { orderId: string; amount: number }) {
  return {
    orderId,
    amount,
    storeUrl: 'https://shop.pt/checkout',
    customer: { name: 'Ana', email: emailOf(orderId) },
    items: [{ id: '1', name: 'Cup', quantity: 1, priceInCents: 100 }],
  };
}

export function callWith(idempotencyKey: string) {
  return { origin: undefined, referer: undefined, idempotencyKey, setHeader() {} };
}

/** The address of a shop's owner, or of the operator. */
export function readerOf(shop: string | null): string {
  return `${shop ?? 'operator'}@mail.pt`;
}

export function emailOf(orderId: string): string {
  return `${orderId}@mail.pt`;
}
