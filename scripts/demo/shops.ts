import type { Acquirer } from '../../src/kernel/acquirer.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** One of the three merchants. */
export interface Shop {
  name: string;
  domain: string;
  acquirer: Acquirer;
  orderPrefix: string;
  /** Its share of all transactions. */
  share: number;
  /** The share of customers who choose a reference first. */
  references: number;
  /**
   * An address of this machine without a listener: the address guard or the closed port refuses a delivery, so that the demo
   * sends nothing.
   */
  webhookUrl: string;
  /** The day on which its webhook was enabled. */
  webhookFromDay: number;
  /** Its payments are held for this many days before the end. */
  heldDays: number;
  endpoint: Endpoint;
  products: readonly (readonly [id: string, name: string, priceInCents: number])[];
  campaigns: readonly string[];
}

/** A shop with its merchant and the bank account of its payments. */
export interface OpenShop extends Shop {
  id: Id<'mer'>;
  accountId: Id<'acc'>;
}

export type OpenShops = Readonly<Record<keyof typeof SHOPS, OpenShop>>;

export interface Endpoint {
  /** Usual time of an answer, in milliseconds. */
  usualMs: number;
  /** The share of requests that fail at random. */
  hiccups: number;
  /** Outages, as days before the end and hours long. */
  outages: readonly { daysAgo: number; hours: number; kind: 'status' | 'slow' | 'gone' }[];
  ok: string;
}

export const SHOPS = {
  books: {
    name: 'Livraria do Cais',
    acquirer: 'ifthenpay',
    domain: 'livrariadocais.example',
    orderPrefix: 'LC-',
    share: 0.55,
    references: 0.27,
    webhookUrl: 'https://127.0.0.1:9441/webhooks/pagamentos',
    webhookFromDay: 0,
    heldDays: 0,
    endpoint: {
      usualMs: 120,
      hiccups: 0.006,
      outages: [
        { daysAgo: 96, hours: 3, kind: 'status' },
        { daysAgo: 31, hours: 1.5, kind: 'slow' },
        { daysAgo: 0.4, hours: 1.6, kind: 'status' },
      ],
      ok: '{"received":true}',
    },
    products: [
      ['LIV-0112', 'Os Maias, Eça de Queirós', 1590],
      ['LIV-0207', 'Memorial do Convento, José Saramago', 1890],
      ['LIV-0339', 'Livro do Desassossego, Fernando Pessoa', 2190],
      ['LIV-0415', 'A Sibila, Agustina Bessa-Luís', 1650],
      ['LIV-0518', 'Sermão de Santo António aos Peixes', 790],
      ['LIV-0622', 'Caderno de linhas A5', 690],
      ['LIV-0703', 'Atlas de Portugal ilustrado', 3450],
      ['LIV-0811', 'Marcadores de página (conjunto de 6)', 450],
      ['LIV-0909', 'O Principezinho, edição de bolso', 990],
      ['LIV-1002', 'Saco de pano «Ler no cais»', 1200],
    ],
    campaigns: ['regresso-as-aulas', 'feira-do-livro', 'newsletter', 'natal'],
  },
  pottery: {
    name: 'Azulejo & Barro',
    acquirer: 'eupago',
    domain: 'azulejoebarro.example',
    orderPrefix: 'AB',
    share: 0.3,
    references: 0.36,
    webhookUrl: 'https://127.0.0.1:9442/hooks/pay',
    webhookFromDay: 34,
    heldDays: 0,
    endpoint: {
      usualMs: 310,
      hiccups: 0.015,
      outages: [{ daysAgo: 58, hours: 9, kind: 'gone' }],
      ok: 'ok',
    },
    products: [
      ['AZ-01', 'Painel de azulejos, 12 peças', 12_900],
      ['AZ-02', 'Azulejo avulso, padrão Viúva Lamego', 850],
      ['BR-10', 'Jarro de barro vidrado', 3490],
      ['BR-11', 'Conjunto de 4 tigelas', 4200],
      ['BR-12', 'Prato de servir, 32 cm', 2950],
      ['BR-15', 'Caneca andorinha', 1250],
      ['BR-19', 'Vaso de terracota, 24 cm', 2200],
      ['OF-02', 'Aula de olaria para dois', 7500],
    ],
    campaigns: ['primavera', 'instagram-jarros', 'newsletter'],
  },
  shoes: {
    name: 'Sapataria Almada',
    acquirer: 'ifthenpay',
    domain: 'sapatariaalmada.example',
    orderPrefix: 'SA/2',
    share: 0.15,
    references: 0.31,
    webhookUrl: 'https://127.0.0.1:9443/api/payment-events',
    webhookFromDay: 0,
    heldDays: 16,
    endpoint: {
      usualMs: 480,
      hiccups: 0.02,
      outages: [{ daysAgo: 12, hours: 5, kind: 'slow' }],
      ok: '',
    },
    products: [
      ['SP-340', 'Botim de pele, castanho', 8990],
      ['SP-351', 'Mocassim de camurça', 6450],
      ['SP-377', 'Sapatilha de lona', 3990],
      ['SP-402', 'Sandália de tiras', 4990],
      ['SP-410', 'Sapato de vela', 7290],
      ['AC-007', 'Graxa incolor e escova', 1190],
      ['AC-012', 'Atacadores encerados (2 pares)', 590],
    ],
    campaigns: ['saldos-de-verao', 'google-shopping'],
  },
} satisfies Record<string, Shop>;
