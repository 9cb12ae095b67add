import { texts } from '../../lib/i18n.ts';

/** The texts of the store domains page. */
export const TEXTS = texts({
  en: {
    description:
      'Payments are accepted only for the stores on this list. This prevents a stolen key from being used for another shop.',
    viewer: 'Only owners can add and remove domains.',
    add: {
      title: 'Add a store',
      label: 'Store domain',
      placeholder: 'shop.pt',
      hint: 'Only the domain, without https:// or a path. Start with *. to accept every subdomain.',
      save: 'Add',
      added: (domain: string) => `${domain} added. Payments from it are now accepted.`,
      saved: (pattern: string) => `Saved as ${pattern}`,
      admits: 'Accepted',
      refuses: 'Not accepted',
      examples: 'What this accepts',
    },
    list: {
      title: 'Your stores',
      empty: 'No store yet',
      emptyHint: 'No payment can be created until a store is added.',
      since: 'Added',
      removeOf: (domain: string) => `Remove ${domain}`,
      removeTitle: (domain: string) => `Remove ${domain}?`,
      removeBody:
        'Takes effect at once: new payments from this store are refused. Existing payments continue.',
      removeLast: 'This is the last domain. Without it, no payment can be created.',
      removed: (domain: string) => `${domain} removed. Payments from it are now refused.`,
      admits: (hosts: string) => `Accepts ${hosts}`,
      admitsAll: (host: string) => `Accepts every subdomain of ${host}, but not ${host} itself`,
    },
  },
  pt: {
    description:
      'Só são aceites pagamentos das lojas desta lista. Assim, uma chave roubada não pode ser usada noutra loja.',
    viewer: 'Só os proprietários podem adicionar e remover domínios.',
    add: {
      title: 'Adicionar uma loja',
      label: 'Domínio da loja',
      placeholder: 'loja.pt',
      hint: 'Só o domínio, sem https:// nem caminho. Comece por *. para aceitar todos os subdomínios.',
      save: 'Adicionar',
      added: (domain) => `${domain} adicionado. Os pagamentos desta loja já são aceites.`,
      saved: (pattern) => `Fica guardado como ${pattern}`,
      admits: 'Aceite',
      refuses: 'Não aceite',
      examples: 'O que é aceite',
    },
    list: {
      title: 'As suas lojas',
      empty: 'Ainda não há lojas',
      emptyHint: 'Não é possível criar pagamentos até ser adicionada uma loja.',
      since: 'Adicionado em',
      removeOf: (domain) => `Remover ${domain}`,
      removeTitle: (domain) => `Remover ${domain}?`,
      removeBody:
        'Tem efeito imediato: os novos pagamentos desta loja são recusados. Os pagamentos existentes continuam.',
      removeLast: 'É o último domínio. Sem ele, não é possível criar pagamentos.',
      removed: (domain) => `${domain} removido. Os pagamentos desta loja passam a ser recusados.`,
      admits: (hosts) => `Aceita ${hosts}`,
      admitsAll: (host) => `Aceita todos os subdomínios de ${host}, mas não o próprio ${host}`,
    },
  },
});
