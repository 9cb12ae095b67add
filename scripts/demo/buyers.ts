import type { CanonicalCustomer, CanonicalItem } from '../../src/payments/init-order.ts';
import type { Prng } from '../sim/prng.ts';
import { FIRST_NAMES, MAIL_HOSTS, STREETS, SURNAMES, TOWNS } from './names.ts';
import type { Shop } from './shops.ts';

export interface Buyer {
  customer: CanonicalCustomer;
  phone: string;
}

/** The contents of an order. */
export interface Basket {
  items: CanonicalItem[];
  amountCents: number;
  tracking: Record<string, string> | null;
  shippingAddress: Record<string, string> | null;
}

const SHIPPING_CENTS = 395;
const FREE_FROM_CENTS = 4000;

/** Creates a customer; most order again. */
export function createBuyer(prng: Prng): Buyer {
  const first = prng.pick(FIRST_NAMES);
  const last = prng.pick(SURNAMES);
  const [city, , base] = TOWNS[Number(prng.weighted(TOWN_WEIGHTS))] ?? TOWNS[0];
  const phone = `9${prng.pick(['1', '2', '3', '6'])}${String(prng.int(0, 9_999_999)).padStart(7, '0')}`;
  const name = prng.chance(0.3) ? `${first} ${prng.pick(SURNAMES)} ${last}` : `${first} ${last}`;
  const mail = `${plain(first)}.${plain(last)}${prng.chance(0.7) ? prng.int(1, 989) : ''}`;
  const customer: CanonicalCustomer = { name, email: `${mail}@${prng.pick(MAIL_HOSTS)}` };
  if (prng.chance(0.85)) customer.phone = `+351 ${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`;
  if (prng.chance(0.9)) {
    customer.address = `${prng.pick(STREETS)}, ${prng.int(1, 240)}${prng.chance(0.5) ? `, ${prng.int(1, 7)}.º ${prng.pick(['Dto.', 'Esq.', 'A', 'B'])}` : ''}`;
    customer.city = city;
    customer.postalCode = `${base + prng.int(0, 99)}-${String(prng.int(1, 899)).padStart(3, '0')}`;
    customer.country = 'PT';
  }
  return { customer, phone };
}

const TOWN_WEIGHTS = Object.fromEntries(TOWNS.map(([, weight], place) => [String(place), weight]));

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\P{ASCII}/gu, '')
    .toLowerCase();
}

export function createBasket(prng: Prng, shop: Shop, buyer: Buyer): Basket {
  const items = makeItems(prng, shop);
  const goods = items.reduce((sum, item) => sum + item.quantity * item.priceInCents, 0);
  const amountCents = goods >= FREE_FROM_CENTS ? goods : goods + SHIPPING_CENTS;
  if (goods < FREE_FROM_CENTS) {
    items.push({ id: 'PORTES', name: 'Portes de envio', quantity: 1, priceInCents: SHIPPING_CENTS });
  }
  return {
    items,
    amountCents,
    tracking: makeTracking(prng, shop),
    shippingAddress: elsewhere(prng, buyer),
  };
}

function makeItems(prng: Prng, shop: Shop): CanonicalItem[] {
  const kinds = Number(prng.weighted({ 1: 58, 2: 27, 3: 11, 4: 4 }));
  const chosen = new Set(Array.from({ length: kinds }, () => prng.pick(shop.products)));
  return [...chosen].map(([id, name, priceInCents]) => ({
    id,
    name,
    quantity: prng.chance(0.15) ? prng.int(2, 4) : 1,
    priceInCents,
  }));
}

function makeTracking(prng: Prng, shop: Shop): Record<string, string> | null {
  switch (prng.weighted({ none: 40, search: 22, social: 18, mail: 15, ads: 5 })) {
    case 'search':
      return { utm_source: 'google', utm_medium: 'organic' };
    case 'social':
      return {
        utm_source: prng.pick(['instagram', 'facebook', 'tiktok']),
        utm_medium: 'social',
        utm_campaign: prng.pick(shop.campaigns),
        ...(prng.chance(0.5) && { fbclid: `IwAR${token(prng, 22)}` }),
      };
    case 'mail':
      return { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: prng.pick(shop.campaigns) };
    case 'ads':
      return {
        utm_source: 'google',
        utm_medium: 'cpc',
        utm_campaign: prng.pick(shop.campaigns),
        gclid: token(prng, 28),
      };
    default:
      return null;
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function token(prng: Prng, length: number, letters = LETTERS): string {
  return Array.from({ length }, () => letters[prng.int(0, letters.length - 1)]).join('');
}

/** A shipping address of another person. */
function elsewhere(prng: Prng, { customer }: Buyer): Record<string, string> | null {
  if (!prng.chance(0.12) || customer.city === undefined) return null;
  const { customer: other } = createBuyer(prng);
  if (other.address === undefined || other.city === undefined) return null;
  return {
    line1: other.address,
    city: other.city,
    postalCode: other.postalCode ?? '1000-001',
    country: 'PT',
  };
}
