import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    title: 'Payment methods',
    description: 'What your customers can pay with, up to how much, and how long they have.',
    amount: 'Amount',
    from: (min: string, max: string) => `${min} to ${max}`,
    time: 'Time to pay',
    unavailable: 'Not available yet',
    MBWAY: {
      name: 'MB WAY',
      how: 'The customer gets a notification on the phone and confirms it in the MB WAY app.',
      time: (span: string) => `${span} to confirm`,
      after: 'Not confirmed in time, the attempt lapses; the customer can try again with the same order.',
    },
    REFERENCE: {
      name: 'Multibanco',
      how: 'The customer gets an entity, a reference and the amount, and pays at an ATM or in home banking.',
      time: (days: number) =>
        days === 0
          ? 'Until the end of the day'
          : days === 1
            ? 'Until the end of the next day'
            : `${days} days, to the end of the last`,
      after:
        'It should be paid only once; a second payment appears in Exceptions. After its last day the reference is no longer taken.',
    },
    CARD: {
      name: 'Card',
      how: 'Card payments are not available yet. You need not change anything when they come.',
    },
  },
  pt: {
    title: 'Métodos de pagamento',
    description: 'Como os seus clientes podem pagar, até que valor e em quanto tempo.',
    amount: 'Valor',
    from: (min, max) => `${min} a ${max}`,
    time: 'Prazo',
    unavailable: 'Ainda não disponível',
    MBWAY: {
      name: 'MB WAY',
      how: 'O cliente recebe uma notificação no telemóvel e confirma na aplicação MB WAY.',
      time: (span) => `${span} para confirmar`,
      after:
        'Sem confirmação a tempo, a tentativa expira; o cliente pode tentar outra vez com a mesma encomenda.',
    },
    REFERENCE: {
      name: 'Multibanco',
      how: 'O cliente recebe uma entidade, uma referência e o valor, e paga no Multibanco ou no homebanking.',
      time: (days) =>
        days === 0
          ? 'Até ao fim do dia'
          : days === 1
            ? 'Até ao fim do dia seguinte'
            : `${days} dias, até ao fim do último`,
      after:
        'Deve ser paga uma só vez; um segundo pagamento aparece em Exceções. Depois do último dia a referência deixa de ser aceite.',
    },
    CARD: {
      name: 'Cartão',
      how: 'Os pagamentos com cartão ainda não estão disponíveis. Quando chegarem, não precisa de mudar nada.',
    },
  },
});
