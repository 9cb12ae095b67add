import { ACQUIRER_NAMES, type Acquirer } from '../../kernel/acquirer.ts';
import type { Language } from '../../kernel/language.ts';
import type { MailContent } from '../../mail/content.ts';

interface SentLink {
  url: string;
  until: string;
  /** Null when the person joins no team. */
  merchantName: string | null;
}

export function invitationText(language: Language, { url, until, merchantName }: SentLink): MailContent {
  const texts: Readonly<Record<Language, MailContent>> = {
    en: {
      subject:
        merchantName === null ? 'Your account for the payments back office' : `Invitation to ${merchantName}`,
      heading: merchantName === null ? 'Your account' : `Invitation to the team of ${merchantName}`,
      paragraphs: [
        merchantName === null
          ? 'An account for this address was created in the payments back office.'
          : `${merchantName} invites you to its team in the payments back office.`,
      ],
      action: { label: 'Set the password and sign in', url },
      notes: [
        `The link works once, until ${until}.`,
        'If you did not expect this invitation, ignore this message.',
      ],
    },
    pt: {
      subject:
        merchantName === null
          ? 'A sua conta na gestão de pagamentos'
          : `Convite para a equipa de ${merchantName}`,
      heading: merchantName === null ? 'A sua conta' : `Convite para a equipa de ${merchantName}`,
      paragraphs: [
        merchantName === null
          ? 'Foi criada uma conta para este endereço na gestão de pagamentos.'
          : `Recebeu um convite para aceder aos pagamentos de ${merchantName}.`,
      ],
      action: { label: 'Definir a palavra-passe e entrar', url },
      notes: [
        `O link só pode ser usado uma vez, até ${until}.`,
        'Se não esperava este convite, ignore esta mensagem.',
      ],
    },
  };
  return texts[language];
}

export function passwordResetText(
  language: Language,
  { url, until }: Pick<SentLink, 'url' | 'until'>,
): MailContent {
  const texts: Readonly<Record<Language, MailContent>> = {
    en: {
      subject: 'Set a new password',
      paragraphs: [
        'A new password was requested for this account. The current one works until the link is used.',
      ],
      action: { label: 'Set a new password', url },
      notes: [
        `The link works once, until ${until}.`,
        'If you did not request a new password, ignore this message.',
      ],
    },
    pt: {
      subject: 'Definir uma nova palavra-passe',
      paragraphs: [
        'Foi pedida uma nova palavra-passe para esta conta. A palavra-passe atual continua válida até o link ser usado.',
      ],
      action: { label: 'Definir nova palavra-passe', url },
      notes: [
        `O link só pode ser usado uma vez, até ${until}.`,
        'Se não pediu uma nova palavra-passe, ignore esta mensagem.',
      ],
    },
  };
  return texts[language];
}

export function undeliveredAlertText(
  language: Language,
  { name, count, more }: { name: string; count: number; more: boolean },
  url: string,
): MailContent {
  const number = more ? `${count}+` : `${count}`;
  const texts: Readonly<Record<Language, MailContent>> = {
    en: {
      subject: `${name}: ${number} ${count === 1 ? 'event' : 'events'} not delivered to the shop`,
      heading: 'The shop is not receiving payment events',
      paragraphs: [
        `${number} ${count === 1 ? 'event was' : 'events were'} not delivered after four attempts. The payments are not affected, but the shop may not know about them.`,
        'Check that the shop’s server is running, then resend the events.',
      ],
      action: { label: 'View undelivered events', url },
    },
    pt: {
      subject: `${name}: ${number} ${count === 1 ? 'notificação não entregue' : 'notificações não entregues'} à loja`,
      heading: 'A loja não está a receber as notificações de pagamento',
      paragraphs: [
        `${number} ${count === 1 ? 'notificação não foi entregue' : 'notificações não foram entregues'} após quatro tentativas. Os pagamentos não são afetados, mas a loja pode desconhecê-los.`,
        'Verifique se o servidor da loja está a funcionar e reenvie as notificações.',
      ],
      action: { label: 'Ver notificações não entregues', url },
    },
  };
  return texts[language];
}

const MONEY = {
  duplicate: {
    pt: ['em duplicado', 'Uma encomenda foi paga mais do que uma vez. Reembolse o pagamento em duplicado.'],
    en: ['is a duplicate', 'An order was paid more than once. Refund the duplicate payment.'],
  },
  under: {
    pt: [
      'inferior ao devido',
      'O cliente pagou menos do que o valor da encomenda, que continua por pagar. Peça o restante ou reembolse o cliente.',
    ],
    en: [
      'is less than the amount due',
      'The customer paid less than the amount due. The order is still unpaid. Ask for the rest or refund the customer.',
    ],
  },
  paidOtherwise: {
    pt: [
      'inferior ao devido',
      'O cliente pagou menos do que o valor da encomenda, que foi depois paga por outro pagamento. Reembolse o cliente.',
    ],
    en: [
      'is less than the amount due',
      'The customer paid less than the amount due. Another payment has paid the order since. Refund the customer.',
    ],
  },
  over: {
    pt: ['superior ao devido', 'O cliente pagou mais do que o valor da encomenda. Reembolse o excedente.'],
    en: ['is more than the amount due', 'The customer paid more than the amount due. Refund the surplus.'],
  },
  unmatched: {
    pt: [
      'sem encomenda correspondente',
      'O banco comunicou um pagamento que não corresponde a nenhuma encomenda. Atribua-o a uma transação ou reembolse-o.',
    ],
    en: [
      'matches no order',
      'The bank reported a payment that matches no order. Assign it to a transaction or refund it.',
    ],
  },
} as const;

export function moneyAlertText(
  language: Language,
  kind: keyof typeof MONEY,
  sale: {
    amount: string;
    paidAt: string;
    orderId: string | null;
    linkTitle: string | null;
    due: string | null;
    url: string;
  },
): MailContent {
  const [what, explanation] = MONEY[kind][language];
  const { amount, paidAt, orderId, linkTitle, due, url } = sale;
  const en = language === 'en';
  return {
    subject: en ? `Payment of ${amount} ${what}` : `Pagamento de ${amount} ${what}`,
    paragraphs: [explanation],
    rows: [
      [en ? 'Received' : 'Recebido', amount],
      ...(due === null ? [] : ([[en ? 'Amount due' : 'Valor da encomenda', due]] as const)),
      [en ? 'Paid on' : 'Pago em', paidAt],
      ...(orderId === null ? [] : ([[en ? 'Order' : 'Encomenda', orderId]] as const)),
      ...(linkTitle === null ? [] : ([[en ? 'Payment link' : 'Link de pagamento', linkTitle]] as const)),
    ],
    action: { label: en ? 'Resolve the payment' : 'Regularizar o pagamento', url },
  };
}

/** The alert about an acquirer; without `since` it is available again. */
export function bankAlertText(
  language: Language,
  { acquirer, since, url }: { acquirer: Acquirer; since: string | null; url: string },
): MailContent {
  const name = ACQUIRER_NAMES[acquirer];
  const texts: Readonly<Record<Language, MailContent>> = {
    en: {
      subject: since === null ? `${name} is available again` : `${name} is unavailable`,
      paragraphs:
        since === null
          ? [`The service is now reading the payments made while ${name} was unavailable.`]
          : [
              `${name} has not responded since ${since}. New payments fail there, and open ones stay pending until it responds.`,
              'No payment is lost: the service keeps retrying. Merchants with a fallback collect at the other acquirer.',
            ],
      action: { label: 'Open the System page', url },
    },
    pt: {
      subject: since === null ? `A ${name} voltou a responder` : `A ${name} está indisponível`,
      paragraphs:
        since === null
          ? [`O serviço está a ler os pagamentos feitos enquanto a ${name} esteve indisponível.`]
          : [
              `A ${name} não responde desde ${since}. Os novos pagamentos falham e os que estão em curso ficam pendentes até haver resposta.`,
              'Nenhum pagamento se perde: o serviço continua a tentar. Os comerciantes com alternativa recebem através do outro adquirente.',
            ],
      action: { label: 'Abrir a página Sistema', url },
    },
  };
  return texts[language];
}
