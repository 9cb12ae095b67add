import { type Addressed, merchantIn, merchantOf, oneOf } from '../../lib/address.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['refunds'];

export type RefundLine = Outputs['list']['rows'][number];
export type ReceiptRefunds = Outputs['ofReceipt'];
export type Refund = ReceiptRefunds['refunds'][number];
export type Exported = Outputs['exportTransfers'];
export type Reported = Outputs['reported'][number];
export type RefundState = RefundLine['state'];

export const STATES = [
  'requested',
  'sent',
  'accepted',
  'unknown',
  'awaiting_transfer',
  'done',
  'failed',
] as const satisfies readonly RefundState[];

/** The states that wait for a person. */
export const QUEUE_STATES = ['unknown', 'awaiting_transfer'] as const satisfies readonly RefundState[];

export interface Filters {
  /** Operator only: the refunds that wait for a person. */
  readonly queue: boolean;
  readonly state: RefundState | null;
  /** Operator only. */
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
}

/** The filters in the address. */
export const FILTERS: Addressed<Filters> = {
  read: (params) => ({
    queue: params.get('show') !== 'all',
    state: oneOf(STATES, params.get('state')),
    merchant: merchantOf(params),
  }),
  write: ({ queue, state, merchant }) => ({
    show: queue ? null : 'all',
    state,
    ...merchantIn(merchant),
  }),
};
