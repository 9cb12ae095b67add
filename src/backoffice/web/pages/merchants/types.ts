import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['merchants'];

export type Merchant = Outputs['list']['rows'][number];
export type ShownMerchant = Outputs['show'];
export type HandOver = Outputs['create'];
export type Bank = Outputs['defaultBank'];
export type Account = Bank['defaults'][number];
export type Method = 'mbway' | 'multibanco';
export type Route = NonNullable<Bank['routes']>[Method];
