import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  lead: [
    'Paid sales of merchants under review. Merchants see them as pending until you release them.',
    'Vendas já pagas de comerciantes em revisão. Para o comerciante continuam pendentes até as libertar.',
  ],
  count: ['Sales on hold', 'Vendas retidas'],
  sum: ['Total on hold', 'Total retido'],
  oldest: ['Oldest payment', 'Pagamento mais antigo'],
  atLeast: [(text: string) => `at least ${text}`, (text) => `pelo menos ${text}`],
  byMerchant: ['By merchant', 'Por comerciante'],
  ofMerchant: [
    (name: string, count: string, sum: string) => `${name}: ${count}, ${sum}`,
    (name, count, sum) => `${name}: ${count}, ${sum}`,
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 sale on hold' : `${count} sales on hold`),
    (count, one) => (one ? '1 venda retida' : `${count} vendas retidas`),
  ],
  nothing: ['Nothing to review', 'Nada para rever'],
  nothingWhy: [
    'While a merchant is under review, its paid sales wait here until you release them.',
    'Enquanto um comerciante está em revisão, as suas vendas pagas aguardam aqui até as libertar.',
  ],
  choose: [(order: string) => `Select order ${order}`, (order) => `Selecionar a encomenda ${order}`],
  chooseAll: ['Select all', 'Selecionar todas'],
  chooseColumn: ['Select', 'Selecionar'],
  chosen: [
    (count: string, sum: string) => `${count} selected, ${sum}`,
    (count, sum) => `${count} selecionadas, ${sum}`,
  ],
  chosenOne: [
    (count: string, sum: string) => `${count} selected, ${sum}`,
    (count, sum) => `${count} selecionada, ${sum}`,
  ],
  none: ['Select the sales to release.', 'Selecione as vendas a libertar.'],
  release: ['Release', 'Libertar'],
  dialog: [
    (one: boolean) => (one ? 'Release this sale' : 'Release these sales'),
    (one) => (one ? 'Libertar esta venda' : 'Libertar estas vendas'),
  ],
  confirm: [(count: string) => `Release ${count}`, (count) => `Libertar ${count}`],
  effects: {
    paid: [
      'Each sale becomes paid, with the payment time reported by the bank.',
      'Cada venda fica paga, com a data e hora de pagamento indicadas pelo banco.',
    ],
    event: [
      'The event “Payment received” is sent to each shop, once per sale.',
      'A notificação «Pagamento recebido» é enviada a cada loja, uma vez por venda.',
    ],
    money: [
      'No money is transferred; it has already been received.',
      'Não é transferido dinheiro; já foi recebido.',
    ],
  },
  outcomes: {
    released: [
      (count: string, _one: boolean) => `${count} released`,
      (count, one) => `${count} ${one ? 'libertada' : 'libertadas'}`,
    ],
    paid: [
      (count: string, _one: boolean) => `${count} already paid`,
      (count, one) => `${count} já ${one ? 'estava paga' : 'estavam pagas'}`,
    ],
    not_held: [
      (count: string, _one: boolean) => `${count} no longer on hold`,
      (count, one) => `${count} já não ${one ? 'estava retida' : 'estavam retidas'}`,
    ],
    failed: [
      (count: string, _one: boolean) => `${count} failed`,
      (count, one) => `${count} ${one ? 'falhou' : 'falharam'}`,
    ],
  },
});
