import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Payments are accepted only for the stores on this list. This prevents a stolen key from being used for another shop.',
    'Só são aceites pagamentos das lojas desta lista. Assim, uma chave roubada não pode ser usada noutra loja.',
  ],
  viewer: [
    'Only owners can add and remove domains.',
    'Só os proprietários podem adicionar e remover domínios.',
  ],
  add: {
    title: ['Add a store', 'Adicionar uma loja'],
    label: ['Store domain', 'Domínio da loja'],
    placeholder: ['shop.pt', 'loja.pt'],
    hint: [
      'Only the domain, without https:// or a path. Start with *. to accept every subdomain.',
      'Só o domínio, sem https:// nem caminho. Comece por *. para aceitar todos os subdomínios.',
    ],
    save: ['Add', 'Adicionar'],
    added: [
      (domain: string) => `${domain} added. Payments from it are now accepted.`,
      (domain) => `${domain} adicionado. Os pagamentos desta loja já são aceites.`,
    ],
    saved: [(pattern: string) => `Saved as ${pattern}`, (pattern) => `Fica guardado como ${pattern}`],
    admits: ['Accepted', 'Aceite'],
    refuses: ['Not accepted', 'Não aceite'],
    examples: ['What this accepts', 'O que é aceite'],
  },
  list: {
    title: ['Your stores', 'As suas lojas'],
    empty: ['No store yet', 'Ainda não há lojas'],
    emptyHint: [
      'No payment can be created until a store is added.',
      'Não é possível criar pagamentos até ser adicionada uma loja.',
    ],
    since: ['Added', 'Adicionado em'],
    removeOf: [(domain: string) => `Remove ${domain}`, (domain) => `Remover ${domain}`],
    removeTitle: [(domain: string) => `Remove ${domain}?`, (domain) => `Remover ${domain}?`],
    removeBody: [
      'Takes effect at once: new payments from this store are refused. Existing payments continue.',
      'Tem efeito imediato: os novos pagamentos desta loja são recusados. Os pagamentos existentes continuam.',
    ],
    removeLast: [
      'This is the last domain. Without it, no payment can be created.',
      'É o último domínio. Sem ele, não é possível criar pagamentos.',
    ],
    removed: [
      (domain: string) => `${domain} removed. Payments from it are now refused.`,
      (domain) => `${domain} removido. Os pagamentos desta loja passam a ser recusados.`,
    ],
    admits: [(hosts: string) => `Accepts ${hosts}`, (hosts) => `Aceita ${hosts}`],
    admitsAll: [
      (host: string) => `Accepts every subdomain of ${host}, but not ${host} itself`,
      (host) => `Aceita todos os subdomínios de ${host}, mas não o próprio ${host}`,
    ],
  },
});
