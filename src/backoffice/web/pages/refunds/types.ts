import { addressOf, choice, MERCHANT, type StateOf, setting } from '../../lib/address.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';
import { PANEL_TEXTS } from './panel-texts.ts';

type Outputs = RouterOutputs['refunds'];

export type RefundLine = Outputs['list']['rows'][number];
export type ReceiptRefunds = Outputs['ofReceipt'];
export type Refund = ReceiptRefunds['refunds'][number];
export type Exported = Outputs['exportTransfers'];
export type Reported = Outputs['reported'][number];
export type RefundState = RefundLine['state'];

export const STATES = Object.keys(PANEL_TEXTS.states) as RefundState[];

/** The states that wait for a person. */
export const QUEUE_STATES = ['unknown', 'awaiting_transfer'] as const satisfies readonly RefundState[];

/** The filters in the address. Only the operator chooses a merchant, and has a queue of the refunds that wait for a person. */
export const FILTERS = addressOf({
  show: setting('show', ['queue', 'all']),
  state: choice('state', STATES),
  merchant: MERCHANT,
});
export type Filters = StateOf<typeof FILTERS>;
