import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../audit/store.ts';
import type { Queryable } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { lockMerchant } from '../merchants/store.ts';
import { type BrandRow, brandOfMerchant, findLogo, saveBrand } from './brand-store.ts';

/** A payment page with its logo stays below 60 kB. */
export const LOGO_BYTES_MAX = 30_000;
const WHITE_CONTRAST_MIN = 4.5;

const NO_BRAND = { accent: null, logo_hash: null };

export async function brandOf(db: Queryable, merchantId: Id<'mer'>) {
  return brandOfRow((await brandOfMerchant(db, merchantId)) ?? NO_BRAND);
}

/** Returns the branding from its stored columns: the colour as `#rrggbb`, and the address of the logo relative to /pay/. */
export function brandOfRow({ accent, logo_hash: hash }: Pick<BrandRow, 'accent' | 'logo_hash'>) {
  return { accent, logo: hash === null ? null : `assets/logo/${hash}` };
}

/** Changes the accent colour, the logo (bytes of a PNG, JPEG or WebP file) or both; null removes it. Throws Refusal. */
export async function setBrand(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  merchantId: Id<'mer'>,
  { accent, logo }: { accent?: string | null | undefined; logo?: Buffer | null | undefined },
): Promise<void> {
  if (accent === undefined && logo === undefined) return;
  if (accent !== undefined && accent !== null) requireDark(accent);
  const type = logo === undefined || logo === null ? null : imageType(logo);
  const changes = {
    ...(accent !== undefined && { accent: accent?.toLowerCase() ?? null }),
    ...(logo !== undefined && { logo_hash: logo === null ? null : hash('sha256', logo, 'hex') }),
  };
  await deps.db.unit(async (tx) => {
    await lockMerchant(tx, merchantId);
    const before = (await brandOfMerchant(tx, merchantId)) ?? NO_BRAND;
    if (isDeepStrictEqual({ ...before, ...changes }, before)) return;
    const bytes = logo === undefined ? {} : { logo: logo?.toString('base64') ?? null, logo_type: type };
    await saveBrand(tx, { merchant_id: merchantId, ...changes, ...bytes });
    await recordAudit(tx, deps, { action: 'brand.changed', merchantId, target: merchantId });
  });
}

/** The bytes and media type of the logo with this SHA-256; null when no merchant has it. */
export async function readLogo(db: Queryable, hash: string): Promise<{ bytes: Buffer; type: string } | null> {
  const row = await findLogo(db, hash);
  if (row?.logo == null || row.logo_type === null) return null;
  return { bytes: Buffer.from(row.logo, 'base64'), type: row.logo_type };
}

/** Throws Refusal unless a text is a colour dark enough for white text. */
function requireDark(accent: string): void {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(accent.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
  if (/^#[0-9a-f]{6}$/i.test(accent) && contrast >= WHITE_CONTRAST_MIN) return;
  throw new Refusal(
    'brand_colour',
    `the colour ${JSON.stringify(accent)} must be #rrggbb and dark enough for white text; choose a darker one`,
  );
}

/** The first bytes of the files, in hexadecimal. */
const MAGIC = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/webp', /^52494646.{8}57454250/],
] as const;

function imageType(bytes: Buffer): string {
  const head = bytes.subarray(0, 16).toString('hex');
  const found = MAGIC.find(([, magic]) => magic.test(head));
  if (found === undefined) throw new Refusal('brand_logo_type', 'the logo must be a PNG, JPEG or WebP file');
  if (bytes.length > LOGO_BYTES_MAX) {
    throw new Refusal('brand_logo_size', `the logo is above ${LOGO_BYTES_MAX} bytes: make it smaller`, {
      max: LOGO_BYTES_MAX / 1000,
    });
  }
  return found[0];
}
