import { TRPCError } from '@trpc/server';
import type { ZodType, z } from 'zod';
import type { BackofficeMeta } from './authorise.ts';
import type { AtMerchant, BackofficeContext, SignedIn } from './context.ts';

/** What a download consists of. */
export interface ExportAnswer {
  /** ASCII letters, digits, dots and hyphens, such as `transactions-my-shop-2026-01-31.csv`. */
  readonly fileName: string;
  /** `text/csv; charset=utf-8`. */
  readonly type: string;
  /** The content, piece by piece; read no faster than the browser takes it. */
  readonly lines: AsyncIterable<string>;
  /** Further headers, such as `x-rows-count` for a page that shows progress. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One download at `/backoffice/export/<path>`. */
export interface ExportRoute {
  readonly path: string;
  readonly meta: BackofficeMeta;
  /** `ctx` holds what the caller was granted, `query` is as it came. */
  answer(ctx: BackofficeContext, query: Record<string, unknown>): Promise<ExportAnswer>;
}

type Answer<Granted, Schema extends ZodType> = (
  ctx: BackofficeContext & Granted,
  input: z.output<Schema>,
) => Promise<ExportAnswer> | ExportAnswer;

/** A download for viewers and owners of the merchant named by the query's `merchantId`; the schema does not name it. */
export function viewerExport<Schema extends ZodType>(
  path: string,
  schema: Schema,
  answer: Answer<AtMerchant, Schema>,
): ExportRoute {
  return exportRoute(path, { who: 'viewer' }, schema, answer);
}

/** A download for owners of the merchant named by the query's `merchantId`; the schema does not name it. */
export function ownerExport<Schema extends ZodType>(
  path: string,
  schema: Schema,
  answer: Answer<AtMerchant, Schema>,
): ExportRoute {
  return exportRoute(path, { who: 'owner' }, schema, answer);
}

/** A download for the platform's own people. */
export function operatorExport<Schema extends ZodType>(
  path: string,
  schema: Schema,
  answer: Answer<SignedIn, Schema>,
): ExportRoute {
  return exportRoute(path, { who: 'operator' }, schema, answer);
}

function exportRoute<Granted, Schema extends ZodType>(
  path: string,
  meta: BackofficeMeta,
  schema: Schema,
  answer: Answer<Granted, Schema>,
): ExportRoute {
  return {
    path,
    meta,
    async answer(ctx: BackofficeContext, query: Record<string, unknown>) {
      const { merchantId: _, ...rest } = query;
      const ofMerchant = meta.who === 'viewer' || meta.who === 'owner';
      const input = schema.safeParse(ofMerchant ? rest : query);
      // The same fault as of a procedure's input, so that it is told in the same words.
      if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error });
      return await answer(ctx as BackofficeContext & Granted, input.data);
    },
  };
}
