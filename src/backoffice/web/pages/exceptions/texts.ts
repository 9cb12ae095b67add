import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  title: ['Payments to resolve', 'Pagamentos por regularizar'],
  ownLead: [
    'Payments that arrived late, twice or for the wrong amount. Each case explains what happened and what to do.',
    'Pagamentos recebidos fora do prazo, em duplicado ou com valor diferente do devido. Cada caso explica o que aconteceu e o que fazer.',
  ],
  acrossLead: [
    'Late, duplicate, short, excess and unmatched payments of all merchants. No case is ever deleted.',
    'Pagamentos fora do prazo, em duplicado, com valor diferente ou sem correspondência, de todos os comerciantes. Nenhum caso é eliminado.',
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 case' : `${count} cases`),
    (count, one) => (one ? '1 caso' : `${count} casos`),
  ],
  open: ['Open', 'Por regularizar'],
  settled: ['Resolved', 'Regularizados'],
  openCount: [(count: string) => `Open (${count})`, (count) => `Por regularizar (${count})`],
  flag: ['Kind', 'Tipo'],
  anyFlag: ['All kinds', 'Todos os tipos'],
  ofCount: [(word: string, count: string) => `${word} (${count})`, (word, count) => `${word} (${count})`],
  nothingOpen: ['Nothing to resolve', 'Nada por regularizar'],
  nothingOpenWhy: [
    'Payments that arrive late, twice or for the wrong amount appear here.',
    'Os pagamentos fora do prazo, em duplicado ou com valor diferente aparecem aqui.',
  ],
  nothingSettled: ['No resolved cases yet', 'Ainda não há casos regularizados'],
  nothingSettledWhy: [
    'Cases that were assigned, credited, returned or closed stay here.',
    'Os casos atribuídos, creditados, devolvidos ou encerrados ficam aqui.',
  ],
  came: ['received', 'recebido'],
  settledAt: ['resolved', 'regularizado'],
  byKind: ['Open cases by kind', 'Casos por regularizar, por tipo'],
  cases: ['Cases', 'Casos'],
  oldest: ['Oldest', 'Mais antigo'],
  short: {
    late: [
      'Paid after the order failed or was cancelled',
      'Pago depois de a encomenda falhar ou ser cancelada',
    ],
    duplicate: ['The order was already paid', 'A encomenda já estava paga'],
    under: ['Less than the amount due', 'Valor inferior ao da encomenda'],
    over: ['More than the amount due', 'Valor superior ao da encomenda'],
    unmatched: ['Matches no known transaction', 'Sem transação correspondente'],
    assigned: ['Was unmatched, then assigned', 'Não tinha correspondência e foi atribuído'],
  },
  together: [
    (received: string, due: string) => `${received} of ${due} received in part payments`,
    (received, due) => `${received} de ${due} recebidos em parcelas`,
  ],
  missing: [(amount: string) => `${amount} missing`, (amount) => `faltam ${amount}`],
  complete: ['the amount due is reached', 'o valor da encomenda está completo'],
  surplus: [(amount: string) => `${amount} surplus`, (amount) => `excedente de ${amount}`],
});
