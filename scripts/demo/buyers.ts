import { nameKey } from '../../src/kernel/person-keys.ts';
import type { CanonicalCustomer, CanonicalItem } from '../../src/payments/init-order.ts';
import type { Prng } from '../sim/prng.ts';
import type { Shop } from './shops.ts';

const words = (text: string) => text.trim().split(/\s+/);

const FIRST_NAMES = words(`
  Ana Maria Beatriz Carolina Catarina Clara Conceição Filipa Francisca Helena Inês Joana Leonor Luísa Madalena
  Mafalda Margarida Marta Matilde Rita Sara Sofia Teresa Vitória Afonso Álvaro André António Bruno Carlos Daniel
  Diogo Duarte Eduardo Filipe Francisco Gonçalo Henrique Hugo João José Lourenço Luís Manuel Martim Miguel Nuno
  Paulo Pedro Rodrigo Rui Salvador Sebastião Simão Tiago Tomás Vasco
`);

const SURNAMES = words(`
  Almeida Alves Araújo Azevedo Baptista Barbosa Barros Borges Branco Brito Cardoso Carneiro Carvalho Castro Coelho
  Correia Costa Cruz Cunha Esteves Faria Fernandes Ferreira Fonseca Freitas Gomes Gonçalves Guerreiro Leal Leite
  Lopes Machado Magalhães Marques Martins Matos Melo Mendes Monteiro Morais Moreira Mota Moura Neves Nogueira Nunes
  Oliveira Pacheco Paiva Pereira Pinheiro Pinto Pires Ramos Reis Ribeiro Rocha Rodrigues Santos Saraiva Silva Simões
  Soares Sousa Tavares Teixeira Valente Vaz Vicente Vieira Xavier
`);

const STREETS = `
  Rua da Prata, Rua de Santa Catarina, Avenida da Liberdade, Rua do Almada, Rua das Flores, Travessa do Carmo, Largo da Sé,
  Rua da Boavista, Rua Dr. António José de Almeida, Praceta das Oliveiras, Rua 5 de Outubro, Avenida 25 de Abril,
  Calçada da Estrela
`
  .trim()
  .split(/,\s+/);

/** The towns with their weights among the orders and the first number of their postal codes. */
const TOWNS: Record<string, readonly [weight: number, town: readonly [string, number]]> = {
  lisbon: [30, ['Lisboa', 1000]],
  porto: [19, ['Porto', 4000]],
  braga: [7, ['Braga', 4700]],
  coimbra: [6, ['Coimbra', 3000]],
  setubal: [4, ['Setúbal', 2900]],
  aveiro: [4, ['Aveiro', 3800]],
  faro: [4, ['Faro', 8000]],
  funchal: [2, ['Funchal', 9000]],
};

export interface Buyer {
  customer: CanonicalCustomer;
  phone: string;
}

const SHIPPING_CENTS = 395;
const FREE_FROM_CENTS = 4000;

/** Creates a customer. The number makes the e-mail address unique. */
export function createBuyer(prng: Prng, number: number): Buyer {
  const first = prng.pick(FIRST_NAMES);
  const last = prng.pick(SURNAMES);
  const name = prng.chance(0.3) ? `${first} ${prng.pick(SURNAMES)} ${last}` : `${first} ${last}`;
  const email = `${nameKey(first)}.${nameKey(last)}${number}@correio.example`;
  const phone = `9${prng.pick(['1', '2', '3', '6'])}${String(prng.int(0, 9_999_999)).padStart(7, '0')}`;
  const shown = { phone: `+351 ${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}` };
  const [city, firstCode] = prng.choose(TOWNS);
  const customer: CanonicalCustomer = {
    name,
    email,
    ...(prng.chance(0.85) && shown),
    address: `${prng.pick(STREETS)}, ${prng.int(1, 240)}`,
    city,
    postalCode: `${firstCode + prng.int(0, 99)}-${prng.int(100, 899)}`,
    country: 'PT',
  };
  return { customer, phone };
}

/** Chooses the items of an order and adds shipping below a limit. */
export function createBasket(prng: Prng, shop: Shop): { items: CanonicalItem[]; amountCents: number } {
  const kinds = Number(prng.weighted({ 1: 58, 2: 27, 3: 11, 4: 4 }));
  const chosen = new Set(Array.from({ length: kinds }, () => prng.pick(shop.products)));
  const items = [...chosen].map(([id, name, priceInCents]) => ({
    id,
    name,
    quantity: prng.chance(0.15) ? prng.int(2, 4) : 1,
    priceInCents,
  }));
  const goods = items.reduce((sum, item) => sum + item.quantity * item.priceInCents, 0);
  if (goods >= FREE_FROM_CENTS) return { items, amountCents: goods };
  items.push({ id: 'PORTES', name: 'Portes de envio', quantity: 1, priceInCents: SHIPPING_CENTS });
  return { items, amountCents: goods + SHIPPING_CENTS };
}

/** Chooses the tracking parameters of an order; null for a direct visit. */
export function createTracking(prng: Prng, shop: Shop): Record<string, string> | null {
  const utm_campaign = prng.pick(shop.campaigns);
  const utm_source = prng.pick(['instagram', 'facebook', 'tiktok']);
  return prng.choose({
    none: [40, null],
    search: [22, { utm_source: 'google', utm_medium: 'organic' }],
    social: [18, { utm_source, utm_medium: 'social', utm_campaign }],
    mail: [15, { utm_source: 'newsletter', utm_medium: 'email', utm_campaign }],
    ads: [5, { utm_source: 'google', utm_medium: 'cpc', utm_campaign }],
  });
}
