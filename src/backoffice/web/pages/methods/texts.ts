import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'How your customers can pay, up to which amount and within what time.',
    'Como os seus clientes podem pagar, até que valor e em quanto tempo.',
  ],
  time: ['Time to pay', 'Prazo'],
  unavailable: ['Not available yet', 'Ainda não disponível'],
  MBWAY: {
    how: [
      'The customer receives a notification on the phone and confirms it in the MB WAY app.',
      'O cliente recebe uma notificação no telemóvel e confirma na app MB WAY.',
    ],
    time: [(span: string) => `${span} to confirm`, (span) => `${span} para confirmar`],
    after: [
      'Without confirmation in time, the attempt expires. The customer can try again with the same order.',
      'Sem confirmação a tempo, a tentativa expira. O cliente pode tentar novamente com a mesma encomenda.',
    ],
  },
  REFERENCE: {
    how: [
      'The customer receives an entity, a reference and the amount, and pays at an ATM or in online banking.',
      'O cliente recebe uma entidade, uma referência e o valor, e paga num caixa automático ou no homebanking.',
    ],
    time: [
      (days: number) =>
        days === 0
          ? 'Until the end of the day'
          : days === 1
            ? 'Until the end of the next day'
            : `${days} days, until the end of the last day`,
      (days) =>
        days === 0
          ? 'Até ao fim do dia'
          : days === 1
            ? 'Até ao fim do dia seguinte'
            : `${days} dias, até ao fim do último dia`,
    ],
    after: [
      'Each reference is meant to be paid once; a second payment appears under Payments to resolve. After the last day, the reference is no longer accepted.',
      'Cada referência deve ser paga uma só vez; um segundo pagamento aparece em Pagamentos por regularizar. Após o último dia, a referência deixa de ser aceite.',
    ],
  },
  CARD: {
    name: ['Card', 'Cartão'],
    how: [
      'Card payments are not available yet. You will not need to change anything when they are.',
      'Os pagamentos com cartão ainda não estão disponíveis. Quando estiverem, não terá de alterar nada.',
    ],
  },
});
