import { setImmediate as nextTurn } from 'node:timers/promises';
import { TRPCError } from '@trpc/server';
import { type ZodType, z } from 'zod';
import type { Deps } from '../deps.ts';
import { BYTE_ORDER_MARK, csvLine } from '../kernel/csv.ts';
import type { Id } from '../kernel/ids.ts';
import { LANGUAGES, type Language } from '../kernel/language.ts';
import { lisbonDay } from '../kernel/lisbon.ts';
import { nameKey } from '../kernel/person-keys.ts';
import { selectMerchant } from '../merchants/store.ts';
import type { BackofficeMeta } from './authorise.ts';
import type { AtMerchant, BackofficeContext, Scoped, SignedIn } from './context.ts';

interface ExportContent {
  /** The content in pieces, read at the speed of the browser. */
  readonly lines: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ExportAnswer extends ExportContent {
  /** ASCII letters, digits, dots and hyphens: `transactions-my-shop-2026-01-31.csv`. */
  readonly fileName: string;
  readonly type: string;
}

/** One download at `/backoffice/export/<path>`. */
export interface ExportRoute {
  readonly path: string;
  readonly meta: BackofficeMeta;
  /** `ctx` includes what `authorise` granted; `query` is unparsed. */
  answer(ctx: BackofficeContext, query: Record<string, unknown>): Promise<ExportAnswer>;
}

type Granted<Meta extends BackofficeMeta> = Meta extends { who: 'operator' }
  ? SignedIn
  : Meta extends { orAll: true }
    ? Scoped
    : AtMerchant;

/** The members of an input that name the file: its language, and the days that its content is limited to. */
interface NamingInput {
  readonly language?: Language;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' };

/** Declares a download. For viewers and owners the query names the merchant in `merchantId`, which `schema` omits. */
export function exportRoute<const Meta extends BackofficeMeta, Schema extends ZodType<object>>(
  path: `${keyof typeof FILE_WORDS}.${keyof typeof TYPES}`,
  meta: Meta,
  schema: Schema,
  contentOf: (
    ctx: BackofficeContext & Granted<Meta>,
    input: z.output<Schema>,
  ) => Promise<ExportContent> | ExportContent,
): ExportRoute {
  const [what, extension] = path.split('.') as [keyof typeof FILE_WORDS, keyof typeof TYPES];
  return {
    path,
    meta,
    async answer(ctx, query) {
      const { merchantId: _, ...rest } = query;
      const { merchantId = null } = ctx as Partial<Scoped>;
      const input = schema.safeParse(meta.who === 'operator' ? query : rest);
      if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error });
      const content = await contentOf(ctx as BackofficeContext & Granted<Meta>, input.data);
      const { language = 'en', ...days }: NamingInput = input.data;
      const word = FILE_WORDS[what][language];
      const today = lisbonDay(ctx.deps.clock.now());
      const name =
        merchantId === null
          ? `${word}-${today}`
          : `${word}-${await merchantSlug(ctx.deps, merchantId)}-${daysText(days, today)}`;
      return { ...content, fileName: `${name}.${extension}`, type: TYPES[extension] };
    },
  };
}

export const csvLanguage = z.enum(LANGUAGES).default('pt');

/** Rows are formatted for at most this long before other requests are served. */
const FORMAT_MS_MAX = 5;

/** A column of a CSV file: its headings, and its cell in a row. */
export type CsvColumn<Row> = Readonly<Record<Language, string>> & {
  readonly cell: (row: Row, language: Language) => unknown;
};

/** A CSV file, one page of rows at a time; other requests are served between two pages and within a slow one. */
export async function* csvPages<Row, Cursor = string>(
  columns: readonly CsvColumn<Row>[],
  language: Language,
  readPage: (cursor: Cursor | null) => Promise<{ rows: readonly Row[]; nextCursor: Cursor | null }>,
): AsyncGenerator<string, void, undefined> {
  const line = (textOf: (column: CsvColumn<Row>) => unknown) => csvLine(columns.map(textOf), language);
  yield BYTE_ORDER_MARK + line((column) => column[language]);
  let cursor: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(cursor);
    let lines = '';
    let startedAt = performance.now();
    for (const row of page.rows) {
      lines += line(({ cell }) => cell(row, language));
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

/** The first word of a file's name, in the language of the pages. */
const FILE_WORDS = {
  transactions: { en: 'transactions', pt: 'transacoes' },
  leads: { en: 'leads', pt: 'contactos' },
  audit: { en: 'audit', pt: 'auditoria' },
  settlement: { en: 'settlement', pt: 'liquidacao' },
  events: { en: 'events', pt: 'notificacoes' },
};

/** The days that a file of a merchant is limited to, or else the day it is made: `2026-05-01-2026-05-20`. */
function daysText({ from, to }: Omit<NamingInput, 'language'>, today: string): string {
  const last = to ?? today;
  return from === undefined || from === last ? last : `${from}-${last}`;
}

async function merchantSlug({ db }: Pick<Deps, 'db'>, merchantId: Id<'mer'>): Promise<string> {
  const merchant = await selectMerchant(db.read, merchantId);
  return slugOf(merchant?.name ?? '') || merchantId;
}

const SLUG_LENGTH_MAX = 60;

/** Lower-case ASCII letters and digits separated by hyphens; empty for a name in another script. */
function slugOf(name: string): string {
  return nameKey(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
}
