import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Send a link by message or show its QR code. Each use is a separate order.',
    'Envie o link por mensagem ou mostre o código QR. Cada utilização é uma encomenda separada.',
  ],
  none: ['No payment links yet', 'Ainda não há links de pagamento'],
  noneWhy: [
    'A link collects a payment without an online shop: by message, on an invoice or at the counter.',
    'Um link permite cobrar sem loja online: por mensagem, numa fatura ou ao balcão.',
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 link' : `${count} links`),
    (count, one) => (one ? '1 link' : `${count} links`),
  ],
  name: ['Title', 'Título'],
  uses: ['Uses', 'Utilizações'],
  paid: ['Paid', 'Pagas'],
  anyAmount: ['Chosen by the customer', 'Escolhido pelo cliente'],
  from: [(min: string) => `From ${min}`, (min) => `A partir de ${min}`],
  upTo: [(max: string) => `Up to ${max}`, (max) => `Até ${max}`],
  usesOf: [(uses: string, max: string) => `${uses} of ${max}`, (uses, max) => `${uses} de ${max}`],
  states: {
    active: ['Active', 'Ativo'],
    closed: ['Closed', 'Fechado'],
    expired: ['Expired', 'Expirado'],
    used: ['Used up', 'Esgotado'],
  },
  create: {
    open: ['Create link', 'Criar link'],
    title: ['Create a payment link', 'Criar um link de pagamento'],
    nameHint: [
      'The customer sees it on the payment page.',
      'É apresentado ao cliente na página de pagamento.',
    ],
    example: ['Workshop, 12 December', 'Oficina de 12 de dezembro'],
    kinds: {
      fixed: ['Fixed amount', 'Valor fixo'],
      open: ['Customer decides', 'O cliente decide'],
    },
    amount: ['Amount in euros', 'Valor em euros'],
    min: ['Minimum (optional)', 'Mínimo (opcional)'],
    max: ['Maximum (optional)', 'Máximo (opcional)'],
    uses: ['Number of uses (optional)', 'Número de utilizações (opcional)'],
    orderId: ['Order ID (optional)', 'N.º de encomenda (opcional)'],
    orderHint: [
      (example: string) => `Orders are numbered: ${example}.`,
      (example) => `As encomendas são numeradas: ${example}.`,
    ],
    expires: ['Last day (optional)', 'Último dia (opcional)'],
    wrong: [
      'Enter an amount such as 12.50, at most 99,999.99.',
      'Introduza um valor como 12,50, no máximo 99 999,99.',
    ],
    range: ['The minimum is above the maximum.', 'O mínimo é superior ao máximo.'],
    done: ['Link created.', 'Link criado.'],
  },
  url: ['Address', 'Endereço'],
  openPage: ['Open payment page', 'Abrir a página de pagamento'],
  qr: ['QR code of the payment link', 'Código QR do link de pagamento'],
  saveQr: ['Download QR code', 'Descarregar código QR'],
  expires: ['Expires', 'Expira'],
  orders: ['Order IDs', 'N.os de encomenda'],
  paidAt: ['Paid on', 'Paga em'],
  paidTitle: ['Paid orders', 'Encomendas pagas'],
  paidNone: ['No order of this link is paid yet.', 'Ainda não foi paga nenhuma encomenda deste link.'],
  paidMore: [
    'Only the newest 50 are shown. All are under Transactions.',
    'São mostradas apenas as 50 mais recentes. As restantes estão em Transações.',
  ],
  stop: {
    button: ['Close link', 'Fechar link'],
    title: [(name: string) => `Close “${name}”?`, (name) => `Fechar «${name}»?`],
    body: [
      'The address stops accepting payments at once. Customers who already started can still pay. A closed link cannot be opened again.',
      'O endereço deixa de aceitar pagamentos de imediato. Os clientes que já começaram ainda podem pagar. Um link fechado não pode ser reaberto.',
    ],
    done: ['Link closed.', 'Link fechado.'],
  },
});
