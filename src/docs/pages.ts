export type Language = 'en' | 'pt';

/** One page in one language. */
export interface PageText {
  readonly path: string;
  readonly title: string;
  /** For the menu, when the title is too long for it. */
  readonly menu?: string;
  /** For search engines and for the cards of the entry page. */
  readonly summary: string;
}

/** A page of the documentation; its content is the file of this name in each language that it has. */
export interface Page {
  readonly name: string;
  readonly group: 'start' | 'guides' | 'operate' | 'reference';
  readonly en: PageText;
  readonly pt?: PageText;
  /** What the Portuguese menu calls a page that exists in English alone. */
  readonly menuPt?: string;
}

/** Every page, in the order of the menu. A test refuses files that are not listed here. */
export const PAGES: readonly Page[] = [
  {
    name: 'entry',
    group: 'start',
    en: {
      path: '/docs',
      title: 'Documentation',
      menu: 'Start here',
      summary: 'Collect MB WAY and Multibanco payments: guides, reference, and calls to try out.',
    },
    pt: {
      path: '/docs/pt',
      title: 'Documentação',
      menu: 'Começar aqui',
      summary: 'Receber pagamentos por MB WAY e Multibanco: guias, referência e chamadas para experimentar.',
    },
  },
  {
    name: 'first-payment',
    group: 'guides',
    en: {
      path: '/docs/guides/first-payment',
      title: 'Your first payment',
      summary: 'From a clone to a paid transaction and a verified webhook, in five minutes.',
    },
    pt: {
      path: '/docs/pt/guias/primeiro-pagamento',
      title: 'O primeiro pagamento',
      summary: 'Do código à primeira transação paga e a um webhook verificado, em cinco minutos.',
    },
  },
  {
    name: 'mbway',
    group: 'guides',
    en: {
      path: '/docs/guides/mbway',
      title: 'Checkout with MB WAY',
      menu: 'MB WAY checkout',
      summary: 'The push, the countdown of 4 minutes, polling as a fallback, and how a payment can end.',
    },
    pt: {
      path: '/docs/pt/guias/mbway',
      title: 'Checkout com MB WAY',
      summary:
        'A notificação, a contagem de 4 minutos, a consulta de recurso e como um pagamento pode acabar.',
    },
  },
  {
    name: 'multibanco',
    group: 'guides',
    en: {
      path: '/docs/guides/multibanco',
      title: 'Checkout with Multibanco',
      menu: 'Multibanco checkout',
      summary: 'Entity and reference, days to pay, and offering it beside MB WAY.',
    },
    pt: {
      path: '/docs/pt/guias/multibanco',
      title: 'Checkout com Multibanco',
      summary: 'Entidade e referência, dias para pagar, e como o oferecer ao lado do MB WAY.',
    },
  },
  {
    name: 'webhooks',
    group: 'guides',
    en: {
      path: '/docs/guides/webhooks',
      title: 'Receiving webhooks',
      summary: 'Verify over the raw bytes, answer fast, act once: a receiver that loses no money.',
    },
    pt: {
      path: '/docs/pt/guias/webhooks',
      title: 'Receber webhooks',
      summary: 'Verificar sobre os bytes originais, responder depressa, agir uma só vez.',
    },
  },
  {
    name: 'errors',
    group: 'guides',
    en: {
      path: '/docs/guides/errors',
      title: 'Errors and retries',
      summary: 'What each error means, whether to repeat the call, and what to tell the shopper.',
    },
    pt: {
      path: '/docs/pt/guias/erros',
      title: 'Erros e repetições',
      summary: 'O que significa cada erro, se deve repetir a chamada e o que dizer ao cliente.',
    },
  },
  {
    name: 'sandbox',
    group: 'guides',
    en: {
      path: '/docs/guides/sandbox',
      title: 'Testing with the sandbox',
      summary: 'Phones that accept, reject, stay silent or pay late, and a cash machine of your own.',
    },
    pt: {
      path: '/docs/pt/guias/sandbox',
      title: 'Testar com a sandbox',
      summary: 'Telemóveis que aceitam, recusam, não respondem ou pagam tarde, e um multibanco só seu.',
    },
  },
  {
    name: 'going-live',
    group: 'guides',
    en: {
      path: '/docs/guides/going-live',
      title: 'Going live',
      summary: 'What to check before the first real euro, and what to watch after it.',
    },
    pt: {
      path: '/docs/pt/guias/ir-para-producao',
      title: 'Entrar em produção',
      summary: 'O que confirmar antes do primeiro euro verdadeiro e o que vigiar depois.',
    },
  },
  {
    name: 'reference',
    group: 'reference',
    menuPt: 'Referência',
    en: {
      path: '/docs/reference',
      title: 'Reference',
      summary: 'Every operation, field, error code, state, event and limit.',
    },
  },
  {
    name: 'running-it',
    group: 'operate',
    menuPt: 'Instalar e operar',
    en: {
      path: '/docs/guides/running-it',
      title: 'Running it',
      summary: 'TLS, systemd, containers, backups, keys, the bank, alarms and personal data.',
    },
  },
  {
    name: 'settings',
    group: 'operate',
    menuPt: 'Definições',
    en: {
      path: '/docs/settings',
      title: 'Settings',
      summary: 'Every environment variable of the service, with its default.',
    },
  },
];

/** The page around Swagger UI, which is none of the above: it has no content of its own. */
export const TRY_PATH = '/docs/try';
