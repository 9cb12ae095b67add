import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    description: 'All merchants that take payments through this service.',
    create: 'New merchant',
    counted: (count: string, one: boolean) => (one ? '1 merchant' : `${count} merchants`),
    searchHint: 'Name or merchant ID',
    firstPaid: 'First payment',
    payments: (count: number, shown: string) => (count === 1 ? '1 payment' : `${shown} payments`),
    none: 'No merchants found',
    noneText: 'Enter the start of a word of the name, or the full ID.',
    empty: 'No merchants yet',
    emptyText: 'To create the first one, enter a name and a store domain.',
    webhookStates: { none: 'Not set up', off: 'Off', on: 'On', failing: 'Failing' },
    open: 'Open merchant',
    merchantId: 'Merchant ID',
    noDomains: 'None; payments are refused',
    choices: {
      active: {
        on: {
          state: 'Active',
          text: 'The API key works and payments can be created.',
          button: 'Activate',
          question: (_name: string) => 'Activate',
          done: 'Merchant activated.',
        },
        off: {
          state: 'Inactive',
          text: 'Every call with its API key is refused. Payments in progress continue, and their webhooks are sent.',
          button: 'Deactivate',
          question: (name: string) => `Deactivate ${name}?`,
          dialog:
            'From now on, every call with its API key is answered 403 ACCOUNT_INACTIVE. Payments in progress are still recorded, and their webhooks are sent. You can activate it again at any time.',
          done: 'Merchant deactivated.',
        },
      },
      hold: {
        on: {
          state: 'New payments are put on hold',
          text: 'Payments confirmed by the bank are recorded and stay pending for the merchant until you release them.',
          button: 'Hold payments',
          question: (name: string) => `Hold the payments of ${name}?`,
          dialog:
            'From now on, payments received are recorded, but the merchant sees the sale as pending and receives no webhook until you release it under Review.',
          done: 'New payments are now put on hold.',
        },
        off: {
          state: 'Payments are confirmed immediately',
          text: 'Payments confirmed by the bank become paid, and their webhooks are sent.',
          button: 'Stop holding',
          question: (name: string) => `Stop holding the payments of ${name}?`,
          dialog:
            'New payments are confirmed immediately. Sales already on hold stay on hold until you release them under Review.',
          done: 'New payments are now confirmed immediately.',
        },
      },
      refunds: {
        on: {
          state: 'The owner can refund',
          text: 'Owners refund their own payments, after confirming their password.',
          button: 'Allow refunds',
          question: (name: string) => `Allow the owners of ${name} to refund?`,
          done: 'Owners can now refund.',
        },
        off: {
          state: 'Only operators refund',
          text: 'Owners see their refunds. Only operators make them.',
          button: 'Disallow refunds',
          question: (name: string) => `Disallow refunds by the owners of ${name}?`,
          done: 'Owners can no longer refund.',
        },
      },
      refundEvents: {
        on: {
          state: 'Refund events are sent',
          text: 'The shop receives payment.refunded for each refund of an order’s money.',
          button: 'Send refund events',
          question: (name: string) => `Send refund events to ${name}?`,
          done: 'Refund events are now sent.',
        },
        off: {
          state: 'No refund events',
          text: 'The shop receives no event about refunds.',
          button: 'Stop refund events',
          question: (name: string) => `Stop sending refund events to ${name}?`,
          done: 'Refund events are no longer sent.',
        },
      },
    },
  },
  pt: {
    description: 'Todos os comerciantes que recebem pagamentos através deste serviço.',
    create: 'Novo comerciante',
    counted: (count, one) => (one ? '1 comerciante' : `${count} comerciantes`),
    searchHint: 'Nome ou ID do comerciante',
    firstPaid: 'Primeiro pagamento',
    payments: (count, shown) => (count === 1 ? '1 pagamento' : `${shown} pagamentos`),
    none: 'Nenhum comerciante encontrado',
    noneText: 'Indique o início de uma palavra do nome, ou o ID completo.',
    empty: 'Ainda não há comerciantes',
    emptyText: 'Para criar o primeiro, indique um nome e um domínio da loja.',
    webhookStates: {
      none: 'Por configurar',
      off: 'Desligado',
      on: 'Ligado',
      failing: 'Com falhas de entrega',
    },
    open: 'Abrir a área do comerciante',
    merchantId: 'ID do comerciante',
    noDomains: 'Nenhum; os pagamentos são recusados',
    choices: {
      active: {
        on: {
          state: 'Ativo',
          text: 'A chave de API funciona e podem ser criados pagamentos.',
          button: 'Ativar',
          question: () => 'Ativar',
          done: 'Comerciante ativado.',
        },
        off: {
          state: 'Inativo',
          text: 'Todas as chamadas com a sua chave de API são recusadas. Os pagamentos em curso continuam e as notificações são enviadas.',
          button: 'Desativar',
          question: (name) => `Desativar ${name}?`,
          dialog:
            'A partir de agora, cada chamada com a sua chave de API recebe a resposta 403 ACCOUNT_INACTIVE. Os pagamentos em curso continuam a ser registados e as notificações são enviadas. Pode voltar a ativá-lo em qualquer altura.',
          done: 'Comerciante desativado.',
        },
      },
      hold: {
        on: {
          state: 'Os novos pagamentos ficam retidos',
          text: 'Os pagamentos confirmados pelo banco são registados e, para o comerciante, ficam pendentes até os libertar.',
          button: 'Reter pagamentos',
          question: (name) => `Reter os pagamentos de ${name}?`,
          dialog:
            'A partir de agora, os pagamentos recebidos são registados, mas o comerciante vê a venda como pendente e não é notificado até a libertar em Revisão.',
          done: 'Os novos pagamentos ficam retidos.',
        },
        off: {
          state: 'Os pagamentos são confirmados de imediato',
          text: 'Os pagamentos confirmados pelo banco ficam pagos e as notificações são enviadas.',
          button: 'Deixar de reter',
          question: (name) => `Deixar de reter os pagamentos de ${name}?`,
          dialog:
            'Os novos pagamentos são confirmados de imediato. As vendas já retidas continuam retidas até as libertar em Revisão.',
          done: 'Os novos pagamentos são confirmados de imediato.',
        },
      },
      refunds: {
        on: {
          state: 'O proprietário pode reembolsar',
          text: 'Os proprietários reembolsam os seus pagamentos, depois de confirmarem a palavra-passe.',
          button: 'Permitir reembolsos',
          question: (name) => `Permitir reembolsos pelos proprietários de ${name}?`,
          done: 'Os proprietários já podem reembolsar.',
        },
        off: {
          state: 'Só os operadores reembolsam',
          text: 'Os proprietários veem os seus reembolsos. Só os operadores os efetuam.',
          button: 'Impedir reembolsos',
          question: (name) => `Impedir reembolsos pelos proprietários de ${name}?`,
          done: 'Os proprietários deixam de poder reembolsar.',
        },
      },
      refundEvents: {
        on: {
          state: 'Notificações de reembolso ligadas',
          text: 'A loja recebe payment.refunded por cada reembolso do dinheiro de uma encomenda.',
          button: 'Ligar notificações',
          question: (name) => `Enviar notificações de reembolso a ${name}?`,
          done: 'As notificações de reembolso estão ligadas.',
        },
        off: {
          state: 'Sem notificações de reembolso',
          text: 'A loja não recebe notificações sobre reembolsos.',
          button: 'Desligar notificações',
          question: (name) => `Deixar de enviar notificações de reembolso a ${name}?`,
          done: 'As notificações de reembolso estão desligadas.',
        },
      },
    },
  },
});
