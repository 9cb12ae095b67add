import type { z } from 'zod';
import type * as checkout from '../checkout/contract.ts';
import type { PaymentMethod } from '../db/tables/payments.ts';
import type * as errors from '../kernel/errors.ts';
import type * as payments from '../payments/contract.ts';
import type { EVENT_PAYLOADS } from '../webhooks/contract.ts';

/** The types on the wire, inferred from the service's contract. The package contains them expanded, without zod. */

/** Expands a type member by member. */
type Plain<T> = { [Member in keyof T]: T[Member] };

/** A server sends neither Origin nor Referer: without them the service needs `storeUrl`. */
export type InitInput = Plain<Omit<payments.InitInput, 'storeUrl'> & { storeUrl: string }>;
export type InitOutput = Plain<payments.InitOutput>;
export type MbwayInput = Plain<payments.MbwayInput>;
export type MbwayOutput = Plain<payments.MbwayOutput>;
export type MultibancoInput = Plain<payments.MultibancoInput>;
export type MultibancoOutput = Plain<payments.MultibancoOutput>;
export type StatusInput = Plain<payments.StatusInput>;
export type StatusOutput = Plain<payments.StatusOutput>;
export type MethodsOutput = Plain<payments.MethodsOutput>;

export type CreateSessionInput = Plain<
  Omit<checkout.CreateSessionInput, 'storeUrl' | 'methods'> & {
    storeUrl: string;
    methods?: PaymentMethod[] | undefined;
  }
>;
export type CreateSessionOutput = Plain<checkout.CreateSessionOutput>;
export type SessionInput = Plain<checkout.SessionInput>;
export type SessionOutput = Plain<checkout.SessionOutput>;

/** The closed list of the service's error codes. */
export type ErrorCode = errors.ErrorCode;

/** The body of a webhook, distinguished by `event`. */
export type WebhookEvent = z.infer<(typeof EVENT_PAYLOADS)[keyof typeof EVENT_PAYLOADS]>;
