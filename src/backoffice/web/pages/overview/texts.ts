import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    payments: (count: string, one: boolean) => (one ? '1 paid sale' : `${count} paid sales`),
    yesterday: (amount: string) => `Yesterday: ${amount}`,
    before: (days: number, amount: string) => `Previous ${days} days: ${amount}`,
    more: (share: string) => `${share} more than before`,
    less: (share: string) => `${share} less than before`,
    same: 'The same as before',
    chart: 'Sales by day',
    span: 'Days shown',
    spanDays: (days: number) => `${days} days`,
    asTable: 'As a table',
    count: 'Count',
    inSpan: (days: number) => `in ${days} days`,
    nothingYet: 'No sales in this period.',
    conversion: 'Conversion, 30 days',
    conversionOf: (paid: string, begun: string) => `${paid} of ${begun} paid`,
    noneBegun: 'No attempts',
    mbwayBegun: 'of requests sent',
    referenceBegun: 'of references generated',
    pending: 'Pending now',
    pendingNone: 'No pending payments.',
    pendingCount: (count: string, one: boolean) =>
      one ? '1 payment awaiting the customer' : `${count} payments awaiting customers`,
    undelivered: (count: string, one: boolean) =>
      one
        ? '1 payment event was not delivered to your shop'
        : `${count} payment events were not delivered to your shop`,
    undeliveredMany: (count: string) => `More than ${count} payment events were not delivered to your shop`,
    undeliveredWhy: (since: string, one: boolean) =>
      one
        ? `Your endpoint did not accept it on ${since}, or sending was off. Your shop may not know about a payment until you resend it.`
        : `Your endpoint did not accept them, or sending was off. The oldest is from ${since}. Your shop may not know about payments until you resend them.`,
    undeliveredDo: 'View events',
    exceptions: (count: string, one: boolean) =>
      one ? '1 payment to resolve' : `${count} payments to resolve`,
    exceptionsMany: '1,000 or more payments to resolve',
    exceptionsWhy: 'Late, duplicate, short or excess payments. Refund what you are not owed.',
    exceptionsDo: 'Resolve',
    steps: 'First steps',
    stepsDone: (done: number, all: number) => `${done} of ${all} done`,
    stepsAll: 'All done. Your shop can take payments.',
    stepsNoShop: 'No online shop? Create a payment link',
    toDo: 'To do',
    stepDomain: 'Register your store’s domain',
    stepDomainWhy: 'Payments are accepted for your own stores only.',
    stepKey: 'Use your API key',
    stepKeyWhy: 'Install it on your shop’s server. Ticked after your first API call.',
    stepWebhook: 'Set your webhook',
    stepWebhookWhy: 'The URL that receives each payment event, and the switch that turns sending on.',
    stepAnswered: 'Receive a test event',
    stepAnsweredWhy: 'Send a test event. Your endpoint must answer with a 2xx status.',
    stepPayment: 'Take your first payment',
    stepPaymentWhy: 'Pay a small amount yourself to test everything.',
  },
  pt: {
    payments: (count, one) => (one ? '1 venda paga' : `${count} vendas pagas`),
    yesterday: (amount) => `Ontem: ${amount}`,
    before: (days, amount) => `${days} dias anteriores: ${amount}`,
    more: (share) => `Mais ${share} do que antes`,
    less: (share) => `Menos ${share} do que antes`,
    same: 'O mesmo que antes',
    chart: 'Vendas por dia',
    span: 'Dias mostrados',
    spanDays: (days) => `${days} dias`,
    asTable: 'Em tabela',
    count: 'N.º',
    inSpan: (days) => `em ${days} dias`,
    nothingYet: 'Sem vendas neste período.',
    conversion: 'Conversão, 30 dias',
    conversionOf: (paid, begun) => `${paid} de ${begun} pagos`,
    noneBegun: 'Sem tentativas',
    mbwayBegun: 'dos pedidos enviados',
    referenceBegun: 'das referências geradas',
    pending: 'Pendentes',
    pendingNone: 'Sem pagamentos pendentes.',
    pendingCount: (count, one) =>
      one ? '1 pagamento à espera do cliente' : `${count} pagamentos à espera dos clientes`,
    undelivered: (count, one) =>
      one
        ? '1 notificação de pagamento por entregar à sua loja'
        : `${count} notificações de pagamento por entregar à sua loja`,
    undeliveredMany: (count) => `Mais de ${count} notificações de pagamento por entregar à sua loja`,
    undeliveredWhy: (since, one) =>
      one
        ? `O seu servidor não a aceitou a ${since}, ou o envio estava desligado. A loja pode desconhecer um pagamento até reenviar a notificação.`
        : `O seu servidor não as aceitou, ou o envio estava desligado. A mais antiga é de ${since}. A loja pode desconhecer pagamentos até reenviar as notificações.`,
    undeliveredDo: 'Ver notificações',
    exceptions: (count, one) => (one ? '1 pagamento por regularizar' : `${count} pagamentos por regularizar`),
    exceptionsMany: '1000 ou mais pagamentos por regularizar',
    exceptionsWhy:
      'Pagamentos fora do prazo, em duplicado ou com valor diferente do devido. Devolva o que não lhe é devido.',
    exceptionsDo: 'Regularizar',
    steps: 'Primeiros passos',
    stepsDone: (done, all) => `${done} de ${all} concluídos`,
    stepsAll: 'Tudo concluído. A sua loja já pode receber pagamentos.',
    stepsNoShop: 'Sem loja online? Crie um link de pagamento',
    toDo: 'Por fazer',
    stepDomain: 'Registe o domínio da sua loja',
    stepDomainWhy: 'Só são aceites pagamentos das suas próprias lojas.',
    stepKey: 'Use a sua chave de API',
    stepKeyWhy: 'Instale-a no servidor da loja. Fica concluído após a primeira chamada à API.',
    stepWebhook: 'Defina o seu webhook',
    stepWebhookWhy: 'O URL que recebe cada notificação de pagamento, e o interruptor que liga o envio.',
    stepAnswered: 'Receba uma notificação de teste',
    stepAnsweredWhy: 'Envie uma notificação de teste. O seu servidor deve responder com um código 2xx.',
    stepPayment: 'Receba o primeiro pagamento',
    stepPaymentWhy: 'Faça um pagamento seu, de valor baixo, para testar tudo.',
  },
});
