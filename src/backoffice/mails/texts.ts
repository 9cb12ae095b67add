import { ACQUIRER_NAMES, type Acquirer } from '../../kernel/acquirer.ts';
import type { Language } from '../../kernel/language.ts';
import type { MailContent } from '../../mail/content.ts';

interface SentLink {
  url: string;
  until: string;
  /** Null when the person joins no team. */
  merchantName: string | null;
}

/** The invitation with a one-time link. */
export function invitationText(language: Language, { url, until, merchantName }: SentLink): MailContent {
  if (language === 'en') {
    return {
      subject:
        merchantName === null ? 'Your account for the payments back office' : `Invitation to ${merchantName}`,
      heading: merchantName === null ? 'Your account' : `Invitation to the team of ${merchantName}`,
      paragraphs: [
        merchantName === null
          ? 'An account for this address was created in the payments back office.'
          : `${merchantName} invites you to see its payments.`,
      ],
      action: { label: 'Set the password and sign in', url },
      notes: [
        `The link works once, until ${until}.`,
        'If you did not expect this invitation, ignore this message.',
      ],
    };
  }
  return {
    subject:
      merchantName === null
        ? 'Convite para a área de gestão de pagamentos'
        : `Convite para a equipa de ${merchantName}`,
    heading: merchantName === null ? 'Acesso à área de gestão' : `Convite para a equipa de ${merchantName}`,
    paragraphs: [
      merchantName === null
        ? 'Foi criada uma conta para este endereço na área de gestão de pagamentos.'
        : `${merchantName} convida o titular deste endereço a aceder aos seus pagamentos.`,
    ],
    action: { label: 'Definir a palavra-passe e entrar', url },
    notes: [
      `O link só funciona uma vez e até ${until}.`,
      'Quem não esperava este convite pode ignorar a mensagem.',
    ],
  };
}

/** The mail with a one-time link for a new password. */
export function passwordResetText(
  language: Language,
  { url, until }: Pick<SentLink, 'url' | 'until'>,
): MailContent {
  if (language === 'en') {
    return {
      subject: 'Set a new password',
      heading: 'Set a new password',
      paragraphs: [
        'A new password was requested for this account. The current one works until the link is used.',
      ],
      action: { label: 'Set a new password', url },
      notes: [`The link works once, until ${until}.`, 'If you did not request it, ignore this message.'],
    };
  }
  return {
    subject: 'Definir uma nova palavra-passe',
    heading: 'Definir uma nova palavra-passe',
    paragraphs: [
      'Foi pedida uma nova palavra-passe para esta conta. A palavra-passe atual continua válida até o link ser usado.',
    ],
    action: { label: 'Definir nova palavra-passe', url },
    notes: [
      `O link só funciona uma vez e até ${until}.`,
      'Quem não fez este pedido pode ignorar a mensagem.',
    ],
  };
}

/** The alert about undelivered events. */
export function undeliveredAlertText(
  language: Language,
  { name, count, more }: { name: string; count: number; more: boolean },
  url: string,
): MailContent {
  const number = more ? `${count}+` : `${count}`;
  if (language === 'en') {
    return {
      subject: `${name}: ${number} ${count === 1 ? 'event' : 'events'} not delivered to the store`,
      heading: 'The store is not receiving payment confirmations',
      paragraphs: [
        `${number} ${count === 1 ? 'event was' : 'events were'} not delivered after four attempts. The payments themselves are not affected, but the store does not know of them.`,
        'Check that the store is running, then resend the events.',
      ],
      action: { label: 'See undelivered events', url },
    };
  }
  return {
    subject: `${name}: ${number} ${count === 1 ? 'notificação não entregue' : 'notificações não entregues'} à loja`,
    heading: 'A loja não está a receber as confirmações de pagamento',
    paragraphs: [
      `${number} ${count === 1 ? 'notificação não foi entregue' : 'notificações não foram entregues'} após quatro tentativas. Os pagamentos não são afetados, mas a loja não teve conhecimento deles.`,
      'Verifique se a loja está a funcionar e, depois, reenvie as notificações.',
    ],
    action: { label: 'Ver notificações não entregues', url },
  };
}

const MONEY = {
  duplicate: {
    pt: [
      'pago em duplicado',
      'Uma encomenda foi paga mais do que uma vez. O montante a mais deve ser reembolsado.',
    ],
    en: ['paid twice', 'An order was paid more than once. Refund the extra amount.'],
  },
  under: {
    pt: ['pago por menos', 'O cliente pagou menos do que o montante da encomenda, que continua por pagar.'],
    en: ['underpaid', 'The customer paid less than the order’s amount. The order is still unpaid.'],
  },
  over: {
    pt: [
      'pago a mais',
      'O cliente pagou mais do que o montante da encomenda. O excedente deve ser reembolsado.',
    ],
    en: ['overpaid', 'The customer paid more than the order’s amount. Refund the surplus.'],
  },
  unmatched: {
    pt: [
      'sem encomenda correspondente',
      'O banco comunicou um pagamento que não corresponde a nenhuma encomenda. É preciso atribuí-lo ou devolvê-lo.',
    ],
    en: [
      'without a matching order',
      'The bank reported a payment that matches no order. Assign it or return it.',
    ],
  },
} as const;

/** The alert about money that does not fit its order. */
export function moneyAlertText(
  language: Language,
  kind: keyof typeof MONEY,
  sale: { amount: string; paidAt: string; orderId: string | null; due: string | null; url: string },
): MailContent {
  const [what, explanation] = MONEY[kind][language];
  const { amount, paidAt, orderId, due, url } = sale;
  const en = language === 'en';
  return {
    subject: en ? `Payment of ${amount} ${what}` : `Pagamento de ${amount} ${what}`,
    heading: en ? `Payment of ${amount} ${what}` : `Pagamento de ${amount} ${what}`,
    paragraphs: [explanation],
    rows: [
      [en ? 'Received' : 'Recebido', amount],
      ...(due === null ? [] : ([[en ? 'Amount due' : 'Montante devido', due]] as const)),
      [en ? 'Paid on' : 'Pago em', paidAt],
      ...(orderId === null ? [] : ([[en ? 'Order' : 'Encomenda', orderId]] as const)),
    ],
    action: { label: en ? 'Resolve the payment' : 'Resolver o pagamento', url },
  };
}

/** The alert about an acquirer; without `since` it is available again. */
export function bankAlertText(
  language: Language,
  { acquirer, since, url }: { acquirer: Acquirer; since: string | null; url: string },
): MailContent {
  const name = ACQUIRER_NAMES[acquirer];
  if (language === 'en') {
    return {
      subject: since === null ? `${name} is available again` : `${name} is unavailable`,
      heading: since === null ? `${name} is available again` : `${name} is unavailable`,
      paragraphs:
        since === null
          ? [`Payments made while ${name} was unavailable are being read now.`]
          : [
              `${name} has not answered since ${since}. New payments there fail, and open ones stay pending until it answers.`,
              'No payment is lost: the service keeps asking. Merchants with a fallback collect at the other acquirer.',
            ],
      action: { label: 'Open System', url },
    };
  }
  return {
    subject: since === null ? `A ${name} voltou a responder` : `A ${name} está indisponível`,
    heading: since === null ? `A ${name} voltou a responder` : `A ${name} está indisponível`,
    paragraphs:
      since === null
        ? [`Os pagamentos feitos enquanto a ${name} esteve indisponível estão a ser lidos.`]
        : [
            `A ${name} não responde desde ${since}. Os novos pagamentos falham e os que estão em curso ficam pendentes até haver resposta.`,
            'Nenhum pagamento se perde: o serviço continua a consultar. Os comerciantes com alternativa cobram na outra instituição.',
          ],
    action: { label: 'Abrir o estado do sistema', url },
  };
}
