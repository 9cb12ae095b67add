import { TRPCError } from '@trpc/server';
import { type ZodType, z } from 'zod';
import type { Deps } from '../deps.ts';
import { BYTE_ORDER_MARK, csvLine } from '../kernel/csv.ts';
import type { Id } from '../kernel/ids.ts';
import type { Language } from '../kernel/language.ts';
import { lisbonDay } from '../kernel/lisbon.ts';
import { nameKey } from '../kernel/person-keys.ts';
import { selectMerchant } from '../merchants/store.ts';
import type { BackofficeMeta, Who } from './authorise.ts';
import type { AtMerchant, BackofficeContext, SignedIn } from './context.ts';

/** The file name and the content of a download. */
export interface ExportAnswer {
  /** ASCII letters, digits, dots and hyphens: `transactions-my-shop-2026-01-31.csv`. */
  readonly fileName: string;
  readonly type: string;
  /** The content in pieces, read at the speed of the browser. */
  readonly lines: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One download at `/backoffice/export/<path>`. */
export interface ExportRoute {
  readonly path: string;
  readonly meta: BackofficeMeta;
  /** `ctx` includes what `authorise` granted; `query` is unparsed. */
  answer(ctx: BackofficeContext, query: Record<string, unknown>): Promise<ExportAnswer>;
}

type Granted<W extends Who> = W extends 'viewer' | 'owner' ? AtMerchant : SignedIn;

/** Declares a download. For viewers and owners the query names the merchant in `merchantId`, which `schema` omits. */
export function exportRoute<W extends 'viewer' | 'owner' | 'operator', Schema extends ZodType>(
  path: string,
  who: W,
  schema: Schema,
  answer: (
    ctx: BackofficeContext & Granted<W>,
    input: z.output<Schema>,
  ) => Promise<ExportAnswer> | ExportAnswer,
): ExportRoute {
  return {
    path,
    meta: { who },
    async answer(ctx, query) {
      const { merchantId: _, ...rest } = query;
      const input = schema.safeParse(who === 'operator' ? query : rest);
      if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error });
      return await answer(ctx as BackofficeContext & Granted<W>, input.data);
    },
  };
}

export const CSV_TYPE = 'text/csv; charset=utf-8';
export const csvLanguage = z.enum(['pt', 'en']).default('pt');

/** Rows are formatted for at most this long before other requests are served. */
const FORMAT_MS_MAX = 5;

/** A CSV file, one page of rows at a time; other requests are served between two pages and within a slow one. */
export async function* csvPages<Row, Cursor = string>(
  headings: readonly string[],
  language: Language,
  readPage: (cursor: Cursor | null) => Promise<{ rows: readonly Row[]; nextCursor: Cursor | null }>,
  cells: (row: Row) => readonly unknown[],
): AsyncGenerator<string, void, undefined> {
  yield BYTE_ORDER_MARK + csvLine(headings, language);
  let cursor: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(cursor);
    let lines = '';
    let startedAt = performance.now();
    for (const row of page.rows) {
      lines += csvLine(cells(row), language);
      if (performance.now() - startedAt < FORMAT_MS_MAX) continue;
      yield lines;
      lines = '';
      await nextTurn();
      startedAt = performance.now();
    }
    if (lines !== '') yield lines;
    cursor = page.nextCursor;
    await nextTurn();
  } while (cursor !== null);
}

/** Resolves after waiting requests have been served. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The first word of a file's name, in the language of the pages. */
const FILE_WORDS = {
  transactions: { en: 'transactions', pt: 'transacoes' },
  leads: { en: 'leads', pt: 'contactos' },
  audit: { en: 'audit', pt: 'auditoria' },
  settlement: { en: 'settlement', pt: 'liquidacao' },
};
type FileWord = keyof typeof FILE_WORDS;

/** The name of a CSV file across all merchants: `leads-2026-05-20.csv`. */
export function exportName(deps: Pick<Deps, 'clock'>, what: FileWord, language: Language): string {
  return `${FILE_WORDS[what][language]}-${lisbonDay(deps.clock.now())}.csv`;
}

/**
 * The name of a CSV file of one merchant, with the days it is limited to or the day it is made:
 * `transactions-livraria-do-cais-2026-05-01-2026-05-20.csv`.
 */
export async function merchantExportName(
  deps: Pick<Deps, 'clock' | 'db'>,
  merchantId: Id<'mer'>,
  what: FileWord,
  language: Language,
  { from, to = lisbonDay(deps.clock.now()) }: { from?: string | undefined; to?: string | undefined } = {},
): Promise<string> {
  const days = from === undefined || from === to ? to : `${from}-${to}`;
  return await merchantFileName(deps, merchantId, FILE_WORDS[what][language], 'csv', days);
}

/** The name of a file of one merchant: `events-livraria-do-cais-2026-05-20.jsonl`. */
export async function merchantFileName(
  deps: Pick<Deps, 'clock' | 'db'>,
  merchantId: Id<'mer'>,
  what: string,
  extension: string,
  days = lisbonDay(deps.clock.now()),
): Promise<string> {
  const merchant = await selectMerchant(deps.db.read, merchantId);
  const slug = slugOf(merchant?.name ?? '') || merchantId;
  return `${what}-${slug}-${days}.${extension}`;
}

const SLUG_LENGTH_MAX = 60;

/** Lower-case ASCII letters and digits separated by hyphens; empty for a name in another script. */
function slugOf(name: string): string {
  return nameKey(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
}
