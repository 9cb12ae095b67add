import { lisbonDay } from '../../src/kernel/lisbon.ts';
import { cents } from '../../src/kernel/money.ts';
import type { Prng } from '../sim/prng.ts';
import type { ReceiptRow } from './history.ts';

const DAY_MS = 86_400_000;
/** The share of receipts without a fee in the acquirer's payment list. */
const UNKNOWN = 0.04;
const PAYOUT_DAYS = 2;

/** Adds the data that the acquirer's payment list contained by `until`; the newest payments are not in it yet. */
export function addFees(prng: Prng, receipt: ReceiptRow, until: number): void {
  if (receipt.recorded_at > until - DAY_MS || prng.chance(UNKNOWN)) return;
  const rate = receipt.method === 'MBWAY' ? 0.007 : 0.0095;
  const fee = Math.min(receipt.amount_cents, Math.round(receipt.amount_cents * rate) + 7);
  receipt.fee_cents = cents(fee);
  receipt.net_cents = cents(receipt.amount_cents - fee);
  receipt.value_date = lisbonDay(receipt.paid_at + PAYOUT_DAYS * DAY_MS);
}
