import { type Html, html } from '../html.ts';
import type { Language } from '../pages.ts';

/** What each of the sandbox's self-acting phones does, and what the merchant sees of it. */
export const PHONE_NOTES: readonly ({ readonly phone: string } & Record<
  Language,
  readonly [does: string, then: string]
>)[] = [
  {
    phone: '911000001',
    en: ['Accepts at once.', 'payment.success'],
    pt: ['Aceita de imediato.', 'payment.success'],
  },
  {
    phone: '911000002',
    en: ['Rejects.', 'payment.failed'],
    pt: ['Recusa.', 'payment.failed'],
  },
  {
    phone: '911000003',
    en: ['Never answers.', 'payment.cancelled, after the window and its grace'],
    pt: ['Nunca responde.', 'payment.cancelled, depois da janela e da tolerância'],
  },
  {
    phone: '911000004',
    en: ['Is accepted by the bank, then declined.', 'payment.failed'],
    pt: ['O banco aceita o pedido e depois não autoriza o pagamento.', 'payment.failed'],
  },
  {
    phone: '911000005',
    en: ['Is unknown to MB WAY.', '400 MBWAY_PHONE_REJECTED; the transaction stays pending'],
    pt: ['Não existe no MB WAY.', '400 MBWAY_PHONE_REJECTED; a transação continua pendente'],
  },
  {
    phone: '911000006',
    en: ["Accepts; the bank's callback is lost.", 'payment.success all the same'],
    pt: ['Aceita; o aviso do banco perde-se.', 'payment.success na mesma'],
  },
  {
    phone: '911000007',
    en: ['Accepts; the callback comes three times.', 'payment.success, once'],
    pt: ['Aceita; o aviso do banco chega três vezes.', 'payment.success, uma só vez'],
  },
  {
    phone: '911000008',
    en: [
      "Accepts, but the bank's answer to the push never arrives.",
      '502 BANK_OUTCOME_UNKNOWN, then payment.success',
    ],
    pt: [
      'Aceita, mas a resposta do banco ao pedido nunca chega.',
      '502 BANK_OUTCOME_UNKNOWN e depois payment.success',
    ],
  },
  {
    phone: '911000009',
    en: ['Accepts one second after the window closed.', 'payment.success, within the grace: one event'],
    pt: [
      'Aceita um segundo depois de a janela fechar.',
      'payment.success, dentro da tolerância: um só evento',
    ],
  },
  {
    phone: '911000010',
    en: [
      'Accepts five seconds after window and grace.',
      'payment.cancelled, then payment.success: real money',
    ],
    pt: [
      'Aceita cinco segundos depois da janela e da tolerância.',
      'payment.cancelled e depois payment.success: dinheiro a sério',
    ],
  },
];

const HEADS: Record<Language, readonly string[]> = {
  en: ['Phone', 'Does', 'You see'],
  pt: ['Telemóvel', 'O que faz', 'O que vê'],
};

/** The sandbox's phones as a table. */
export function phoneTable(language: Language): Html {
  const rows = PHONE_NOTES.map(
    ({ phone, [language]: [does, then] }) =>
      html`<tr><th scope="row"><code>${phone}</code></th><td>${does}</td><td>${then}</td></tr>`,
  );
  return html`<table><thead><tr>${HEADS[language].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
}
