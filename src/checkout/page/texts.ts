import type { Locale } from '../contract.ts';

/** The texts of the payment page. */
export interface Texts {
  readonly title: string;
  readonly order: string;
  readonly amount: string;
  readonly testMoney: string;
  readonly phone: string;
  readonly phoneHint: string;
  readonly payMbway: string;
  readonly resendMbway: string;
  readonly mbwayHint: string;
  readonly or: string;
  readonly otherMethod: string;
  readonly payReference: string;
  readonly referenceHint: string;
  readonly pushTitle: string;
  readonly pushBody: string;
  readonly pushSteps: readonly string[];
  readonly pushChecking: string;
  readonly timeLeft: string;
  readonly referenceTitle: string;
  readonly referenceBody: string;
  readonly entity: string;
  readonly reference: string;
  readonly payableUntil: string;
  readonly copy: string;
  readonly copied: string;
  readonly print: string;
  readonly refresh: string;
  readonly refreshHint: string;
  readonly paidTitle: string;
  readonly paidBody: string;
  readonly receivedTitle: string;
  readonly receivedBody: string;
  readonly expiredTitle: string;
  readonly expiredBody: string;
  readonly expiredReference: string;
  readonly closedTitle: string;
  readonly closedBody: string;
  readonly backToStore: string;
  readonly cancel: string;
  readonly returning: string;
  readonly payOnce: string;
  readonly noMethod: string;
  readonly refused: string;
  readonly lapsed: string;
  readonly referenceExpired: string;
  readonly phoneInvalid: string;
  readonly phoneUnknown: string;
  readonly pushOpen: string;
  readonly bank: string;
  limit(time: string): string;
  limitAddress(time: string): string;
  readonly linkLimit: string;
  readonly linkClosedTitle: string;
  readonly linkClosedBody: string;
  amountRule(min: string, max: string): string;
  readonly missingTitle: string;
  readonly missingBody: string;
  readonly failedTitle: string;
  readonly failedBody: string;
  readonly tryAgain: string;
  readonly otherLanguage: string;
}

const pt: Texts = {
  title: 'Pagamento',
  order: 'Encomenda',
  amount: 'Montante',
  testMoney: 'TEST MONEY: ambiente de testes, sem dinheiro real',
  phone: 'Número de telemóvel associado ao MB WAY',
  phoneHint: '9 algarismos, por exemplo 912 345 678',
  payMbway: 'Pagar com MB WAY',
  resendMbway: 'Tentar novamente com MB WAY',
  mbwayHint: 'O pedido é enviado para a app MB WAY. Tem 4 minutos para o confirmar.',
  or: 'ou',
  otherMethod: 'Outro método de pagamento',
  payReference: 'Pagar por Multibanco',
  referenceHint: 'Gera uma referência para pagar num caixa automático ou no homebanking.',
  pushTitle: 'Confirmar o pagamento na app MB WAY',
  pushBody: 'O pedido foi enviado para o telemóvel.',
  pushSteps: ['Abra a app MB WAY.', 'Verifique o comerciante e o montante.', 'Aceite com o PIN MB WAY.'],
  pushChecking: 'A aguardar a resposta do banco. O resultado aparece nesta página.',
  timeLeft: 'Tempo para confirmar:',
  referenceTitle: 'Pagar por Multibanco',
  referenceBody: 'Num caixa automático ou no homebanking, escolha “Pagamento de serviços”.',
  entity: 'Entidade',
  reference: 'Referência',
  payableUntil: 'Pagável até',
  copy: 'Copiar',
  copied: 'Copiado',
  print: 'Imprimir',
  refresh: 'Atualizar o estado',
  refreshHint: 'Esta página atualiza-se automaticamente. Se tal não acontecer:',
  paidTitle: 'Pagamento confirmado',
  paidBody: 'O comerciante recebeu o seu pagamento.',
  receivedTitle: 'Pagamento recebido',
  receivedBody: 'O pagamento está a ser verificado. Não precisa de fazer mais nada. Não volte a pagar.',
  expiredTitle: 'O prazo de pagamento terminou',
  expiredBody: 'Já não é possível iniciar este pagamento. Para continuar, volte à loja.',
  expiredReference: 'A referência abaixo ainda pode ser paga até à data indicada.',
  closedTitle: 'Pagamento indisponível',
  closedBody: 'De momento, este comerciante não aceita pagamentos.',
  backToStore: 'Voltar à loja',
  cancel: 'Voltar à loja sem pagar',
  returning: 'O regresso à loja é automático.',
  payOnce: 'Os dois métodos estão disponíveis. Pague apenas por um deles.',
  noMethod: 'Nenhum método de pagamento está disponível para este montante.',
  refused: 'O pedido MB WAY foi recusado. Nada foi cobrado.',
  lapsed: 'O pedido MB WAY não foi confirmado a tempo.',
  referenceExpired: 'A referência expirou sem pagamento.',
  phoneInvalid: 'Indique um número de telemóvel válido: 9 algarismos, a começar por 9.',
  phoneUnknown:
    'Este número não está associado ao MB WAY. Verifique o número ou escolha outro método de pagamento.',
  pushOpen:
    'Já existe um pedido MB WAY por confirmar. Aceite-o ou recuse-o na app, ou aguarde alguns minutos.',
  bank: 'O banco não aceitou o pedido. Nada foi cobrado. Tente novamente ou escolha outro método de pagamento.',
  limit: (time) => `Foram enviados demasiados pedidos MB WAY. Pode tentar novamente às ${time}.`,
  limitAddress: (time) =>
    `Foram enviados demasiados pedidos MB WAY a partir desta rede. Pode tentar novamente às ${time}, ou já com outra ligação à Internet, por exemplo os dados móveis.`,
  linkLimit:
    'Foram iniciados demasiados pagamentos a partir desta rede. Pode tentar novamente dentro de uma hora, ou já com outra ligação à Internet, por exemplo os dados móveis.',
  linkClosedTitle: 'Este link já não aceita pagamentos',
  linkClosedBody: 'Para pagar, contacte o comerciante.',
  amountRule: (min, max) => `Montante em euros, de ${min} a ${max}, por exemplo 12,50.`,
  missingTitle: 'Página não encontrada',
  missingBody: 'Este link de pagamento não existe. Verifique o endereço ou volte à loja.',
  failedTitle: 'Esta página não está disponível',
  failedBody:
    'Ocorreu um erro temporário. Se já confirmou o pagamento, não volte a pagar: o resultado aparece nesta página.',
  tryAgain: 'Tentar novamente',
  otherLanguage: 'English',
};

const en: Texts = {
  title: 'Payment',
  order: 'Order',
  amount: 'Amount',
  testMoney: 'TEST MONEY: sandbox, no real money',
  phone: 'Mobile number registered with MB WAY',
  phoneHint: '9 digits, for example 912 345 678',
  payMbway: 'Pay with MB WAY',
  resendMbway: 'Try again with MB WAY',
  mbwayHint: 'The request goes to the MB WAY app. You have 4 minutes to confirm it.',
  or: 'or',
  otherMethod: 'Another payment method',
  payReference: 'Pay by Multibanco',
  referenceHint: 'Creates a reference that you pay at an ATM or in online banking.',
  pushTitle: 'Confirm the payment in the MB WAY app',
  pushBody: 'The request was sent to the phone.',
  pushSteps: ['Open the MB WAY app.', 'Check the merchant and the amount.', 'Accept with your MB WAY PIN.'],
  pushChecking: 'Waiting for the bank to respond. The result appears on this page.',
  timeLeft: 'Time left to confirm:',
  referenceTitle: 'Pay by Multibanco',
  referenceBody: 'At an ATM or in online banking, choose “Pagamento de serviços” (service payment).',
  entity: 'Entity',
  reference: 'Reference',
  payableUntil: 'Payable until',
  copy: 'Copy',
  copied: 'Copied',
  print: 'Print',
  refresh: 'Refresh the status',
  refreshHint: 'This page updates automatically. If it does not:',
  paidTitle: 'Payment confirmed',
  paidBody: 'The merchant has received your payment.',
  receivedTitle: 'Payment received',
  receivedBody: 'The payment is being reviewed. You do not need to do anything else. Do not pay again.',
  expiredTitle: 'The time to pay has ended',
  expiredBody: 'This payment can no longer be started. Return to the shop to continue.',
  expiredReference: 'The reference below can still be paid until the date shown.',
  closedTitle: 'Payment not available',
  closedBody: 'This merchant does not accept payments at the moment.',
  backToStore: 'Return to the shop',
  cancel: 'Return to the shop without paying',
  returning: 'You return to the shop automatically.',
  payOnce: 'Both methods are available. Pay with only one of them.',
  noMethod: 'No payment method is available for this amount.',
  refused: 'The MB WAY request was refused. Nothing was charged.',
  lapsed: 'The MB WAY request was not confirmed in time.',
  referenceExpired: 'The reference expired without a payment.',
  phoneInvalid: 'Enter a valid mobile number: 9 digits, starting with 9.',
  phoneUnknown:
    'This number is not registered with MB WAY. Check the number or choose another payment method.',
  pushOpen: 'An MB WAY request is still open. Accept or reject it in the app, or wait a few minutes.',
  bank: 'The bank did not accept the request. Nothing was charged. Try again or choose another payment method.',
  limit: (time) => `Too many MB WAY requests were sent. You can try again at ${time}.`,
  limitAddress: (time) =>
    `Too many MB WAY requests were sent from this network. Try again at ${time}, or now over another Internet connection, such as mobile data.`,
  linkLimit:
    'Too many payments were started from this network. Try again in an hour, or now over another Internet connection, such as mobile data.',
  linkClosedTitle: 'This link no longer accepts payments',
  linkClosedBody: 'Contact the merchant to pay.',
  amountRule: (min, max) => `Amount in euros, from ${min} to ${max}, for example 12.50.`,
  missingTitle: 'Page not found',
  missingBody: 'This payment link does not exist. Check the address or return to the shop.',
  failedTitle: 'This page is not available',
  failedBody:
    'A temporary error occurred. If you have already confirmed the payment, do not pay again: the result appears on this page.',
  tryAgain: 'Try again',
  otherLanguage: 'Português',
};

export const TEXTS: Readonly<Record<Locale, Texts>> = { pt, en };
