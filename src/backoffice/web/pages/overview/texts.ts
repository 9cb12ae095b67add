import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  payments: [
    (count: string, one: boolean) => (one ? '1 paid sale' : `${count} paid sales`),
    (count, one) => (one ? '1 venda paga' : `${count} vendas pagas`),
  ],
  yesterday: [(amount: string) => `Yesterday: ${amount}`, (amount) => `Ontem: ${amount}`],
  before: [
    (days: number, amount: string) => `Previous ${days} days: ${amount}`,
    (days, amount) => `${days} dias anteriores: ${amount}`,
  ],
  more: [(share: string) => `${share} more than before`, (share) => `Mais ${share} do que antes`],
  less: [(share: string) => `${share} less than before`, (share) => `Menos ${share} do que antes`],
  same: ['The same as before', 'O mesmo que antes'],
  chart: ['Sales by day', 'Vendas por dia'],
  span: ['Days shown', 'Dias mostrados'],
  spanDays: [(days: number) => `${days} days`, (days) => `${days} dias`],
  asTable: ['As a table', 'Em tabela'],
  count: ['Count', 'N.º'],
  inSpan: [(days: number) => `in ${days} days`, (days) => `em ${days} dias`],
  nothingYet: ['No sales in this period.', 'Sem vendas neste período.'],
  conversion: ['Conversion, 30 days', 'Conversão, 30 dias'],
  conversionOf: [
    (paid: string, begun: string) => `${paid} of ${begun} paid`,
    (paid, begun) => `${paid} de ${begun} pagos`,
  ],
  noneBegun: ['No attempts', 'Sem tentativas'],
  mbwayBegun: ['of requests sent', 'dos pedidos enviados'],
  referenceBegun: ['of references generated', 'das referências geradas'],
  pending: ['Pending now', 'Pendentes'],
  pendingNone: ['No pending payments.', 'Sem pagamentos pendentes.'],
  pendingCount: [
    (count: string, one: boolean) =>
      one ? '1 payment awaiting the customer' : `${count} payments awaiting customers`,
    (count, one) => (one ? '1 pagamento à espera do cliente' : `${count} pagamentos à espera dos clientes`),
  ],
  undelivered: [
    (count: string, one: boolean) =>
      one
        ? '1 payment event was not delivered to your shop'
        : `${count} payment events were not delivered to your shop`,
    (count, one) =>
      one
        ? '1 notificação de pagamento por entregar à sua loja'
        : `${count} notificações de pagamento por entregar à sua loja`,
  ],
  undeliveredMany: [
    (count: string) => `More than ${count} payment events were not delivered to your shop`,
    (count) => `Mais de ${count} notificações de pagamento por entregar à sua loja`,
  ],
  undeliveredWhy: [
    (since: string, one: boolean) =>
      one
        ? `Your endpoint did not accept it on ${since}, or sending was off. Your shop may not know about a payment until you resend it.`
        : `Your endpoint did not accept them, or sending was off. The oldest is from ${since}. Your shop may not know about payments until you resend them.`,
    (since, one) =>
      one
        ? `O seu servidor não a aceitou a ${since}, ou o envio estava desligado. A loja pode desconhecer um pagamento até reenviar a notificação.`
        : `O seu servidor não as aceitou, ou o envio estava desligado. A mais antiga é de ${since}. A loja pode desconhecer pagamentos até reenviar as notificações.`,
  ],
  undeliveredDo: ['View events', 'Ver notificações'],
  exceptions: [
    (count: string, one: boolean) => (one ? '1 payment to resolve' : `${count} payments to resolve`),
    (count, one) => (one ? '1 pagamento por regularizar' : `${count} pagamentos por regularizar`),
  ],
  exceptionsMany: ['1,000 or more payments to resolve', '1000 ou mais pagamentos por regularizar'],
  exceptionsWhy: [
    'Late, duplicate, short or excess payments. Refund what you are not owed.',
    'Pagamentos fora do prazo, em duplicado ou com valor diferente do devido. Devolva o que não lhe é devido.',
  ],
  exceptionsDo: ['Resolve', 'Regularizar'],
  steps: ['First steps', 'Primeiros passos'],
  stepsDone: [
    (done: number, all: number) => `${done} of ${all} done`,
    (done, all) => `${done} de ${all} concluídos`,
  ],
  stepsAll: [
    'All done. Your shop can take payments.',
    'Tudo concluído. A sua loja já pode receber pagamentos.',
  ],
  stepsNoShop: ['No online shop? Create a payment link', 'Sem loja online? Crie um link de pagamento'],
  toDo: ['To do', 'Por fazer'],
  stepDomain: ['Register your store’s domain', 'Registe o domínio da sua loja'],
  stepDomainWhy: [
    'Payments are accepted for your own stores only.',
    'Só são aceites pagamentos das suas próprias lojas.',
  ],
  stepKey: ['Use your API key', 'Use a sua chave de API'],
  stepKeyWhy: [
    'Install it on your shop’s server. Ticked after your first API call.',
    'Instale-a no servidor da loja. Fica concluído após a primeira chamada à API.',
  ],
  stepWebhook: ['Set your webhook', 'Defina o seu webhook'],
  stepWebhookWhy: [
    'The URL that receives each payment event, and the switch that turns sending on.',
    'O URL que recebe cada notificação de pagamento, e o interruptor que liga o envio.',
  ],
  stepAnswered: ['Receive a test event', 'Receba uma notificação de teste'],
  stepAnsweredWhy: [
    'Send a test event. Your endpoint must answer with a 2xx status.',
    'Envie uma notificação de teste. O seu servidor deve responder com um código 2xx.',
  ],
  stepPayment: ['Take your first payment', 'Receba o primeiro pagamento'],
  stepPaymentWhy: [
    'Pay a small amount yourself to test everything.',
    'Faça um pagamento seu, de valor baixo, para testar tudo.',
  ],
});
