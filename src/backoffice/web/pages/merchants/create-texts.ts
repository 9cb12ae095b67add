import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  title: ['New merchant', 'Novo comerciante'],
  name: ['Shop name', 'Nome da loja'],
  nameHint: ['Customers see it in their MB WAY app.', 'Os clientes veem-no na app MB WAY.'],
  nameMissing: ['Enter a name of 1 to 100 characters.', 'O nome deve ter entre 1 e 100 caracteres.'],
  domainsHint: [
    'One per line, such as shop.pt. Payments from other domains are refused.',
    'Um por linha, por exemplo loja.pt. Pagamentos de outros domínios são recusados.',
  ],
  domainsMissing: ['Enter at least one domain.', 'Indique pelo menos um domínio.'],
  webhook: ['Webhook URL', 'URL do webhook'],
  webhookHint: [
    'Optional. Receives payment events. You can set it later.',
    'Opcional. Recebe as notificações de pagamento. Pode ser definido depois.',
  ],
  owner: ['Owner’s email', 'E-mail do proprietário'],
  ownerHint: [
    'Optional. Creates an invitation to the back office.',
    'Opcional. Cria um convite para a gestão de pagamentos.',
  ],
  create: ['Create', 'Criar'],
  madeTitle: [(name: string) => `${name} is ready`, (name) => `${name} está pronto`],
  once: [
    'Copy this now. The API key and the webhook secret are not shown here again.',
    'Copie agora. A chave de API e o segredo do webhook não voltam a ser mostrados aqui.',
  ],
  sheet: ['Details for the merchant', 'Dados para o comerciante'],
  copyAll: ['Copy all', 'Copiar tudo'],
  done: ['I have copied it', 'Já copiei'],
  lines: {
    heading: [(name: string) => `Payments for ${name}`, (name) => `Pagamentos de ${name}`],
    merchant: ['Merchant ID', 'ID do comerciante'],
    api: ['API base URL', 'URL base da API'],
    docs: ['Documentation', 'Documentação'],
    key: [
      'API key (keep it on your server, never in a browser)',
      'Chave de API (guarde-a no servidor, nunca num navegador)',
    ],
    secret: ['Webhook secret', 'Segredo do webhook'],
    invitation: [
      'Invitation to the back office (valid once, for 24 hours)',
      'Convite para a gestão de pagamentos (válido uma vez, durante 24 horas)',
    ],
  },
});
