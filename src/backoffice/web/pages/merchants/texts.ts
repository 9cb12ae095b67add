import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'All merchants that take payments through this service.',
    'Todos os comerciantes que recebem pagamentos através deste serviço.',
  ],
  create: ['New merchant', 'Novo comerciante'],
  counted: [
    (count: string, one: boolean) => (one ? '1 merchant' : `${count} merchants`),
    (count, one) => (one ? '1 comerciante' : `${count} comerciantes`),
  ],
  searchHint: ['Name or merchant ID', 'Nome ou ID do comerciante'],
  firstPaid: ['First payment', 'Primeiro pagamento'],
  payments: [
    (count: number, shown: string) => (count === 1 ? '1 payment' : `${shown} payments`),
    (count, shown) => (count === 1 ? '1 pagamento' : `${shown} pagamentos`),
  ],
  none: ['No merchants found', 'Nenhum comerciante encontrado'],
  noneText: [
    'Enter the start of a word of the name, or the full ID.',
    'Indique o início de uma palavra do nome, ou o ID completo.',
  ],
  empty: ['No merchants yet', 'Ainda não há comerciantes'],
  emptyText: [
    'To create the first one, enter a name and a store domain.',
    'Para criar o primeiro, indique um nome e um domínio da loja.',
  ],
  webhookStates: {
    none: ['Not set up', 'Por configurar'],
    off: ['Off', 'Desligado'],
    on: ['On', 'Ligado'],
    failing: ['Failing', 'Com falhas de entrega'],
  },
  open: ['Open merchant', 'Abrir a área do comerciante'],
  merchantId: ['Merchant ID', 'ID do comerciante'],
  noDomains: ['None; payments are refused', 'Nenhum; os pagamentos são recusados'],
  choices: {
    active: {
      on: {
        state: ['Active', 'Ativo'],
        text: [
          'The API key works and payments can be created.',
          'A chave de API funciona e podem ser criados pagamentos.',
        ],
        button: ['Activate', 'Ativar'],
        question: [(_name: string) => 'Activate', () => 'Ativar'],
        done: ['Merchant activated.', 'Comerciante ativado.'],
      },
      off: {
        state: ['Inactive', 'Inativo'],
        text: [
          'Every call with its API key is refused. Payments in progress continue, and their webhooks are sent.',
          'Todas as chamadas com a sua chave de API são recusadas. Os pagamentos em curso continuam e as notificações são enviadas.',
        ],
        button: ['Deactivate', 'Desativar'],
        question: [(name: string) => `Deactivate ${name}?`, (name) => `Desativar ${name}?`],
        dialog: [
          'From now on, every call with its API key is answered 403 ACCOUNT_INACTIVE. Payments in progress are still recorded, and their webhooks are sent. You can activate it again at any time.',
          'A partir de agora, cada chamada com a sua chave de API recebe a resposta 403 ACCOUNT_INACTIVE. Os pagamentos em curso continuam a ser registados e as notificações são enviadas. Pode voltar a ativá-lo em qualquer altura.',
        ],
        done: ['Merchant deactivated.', 'Comerciante desativado.'],
      },
    },
    hold: {
      on: {
        state: ['New payments are put on hold', 'Os novos pagamentos ficam retidos'],
        text: [
          'Payments confirmed by the bank are recorded and stay pending for the merchant until you release them.',
          'Os pagamentos confirmados pelo banco são registados e, para o comerciante, ficam pendentes até os libertar.',
        ],
        button: ['Hold payments', 'Reter pagamentos'],
        question: [
          (name: string) => `Hold the payments of ${name}?`,
          (name) => `Reter os pagamentos de ${name}?`,
        ],
        dialog: [
          'From now on, payments received are recorded, but the merchant sees the sale as pending and receives no webhook until you release it under Review.',
          'A partir de agora, os pagamentos recebidos são registados, mas o comerciante vê a venda como pendente e não é notificado até a libertar em Revisão.',
        ],
        done: ['New payments are now put on hold.', 'Os novos pagamentos ficam retidos.'],
      },
      off: {
        state: ['Payments are confirmed immediately', 'Os pagamentos são confirmados de imediato'],
        text: [
          'Payments confirmed by the bank become paid, and their webhooks are sent.',
          'Os pagamentos confirmados pelo banco ficam pagos e as notificações são enviadas.',
        ],
        button: ['Stop holding', 'Deixar de reter'],
        question: [
          (name: string) => `Stop holding the payments of ${name}?`,
          (name) => `Deixar de reter os pagamentos de ${name}?`,
        ],
        dialog: [
          'New payments are confirmed immediately. Sales already on hold stay on hold until you release them under Review.',
          'Os novos pagamentos são confirmados de imediato. As vendas já retidas continuam retidas até as libertar em Revisão.',
        ],
        done: [
          'New payments are now confirmed immediately.',
          'Os novos pagamentos são confirmados de imediato.',
        ],
      },
    },
    refunds: {
      on: {
        state: ['The owner can refund', 'O proprietário pode reembolsar'],
        text: [
          'Owners refund their own payments, after confirming their password.',
          'Os proprietários reembolsam os seus pagamentos, depois de confirmarem a palavra-passe.',
        ],
        button: ['Allow refunds', 'Permitir reembolsos'],
        question: [
          (name: string) => `Allow the owners of ${name} to refund?`,
          (name) => `Permitir reembolsos pelos proprietários de ${name}?`,
        ],
        done: ['Owners can now refund.', 'Os proprietários já podem reembolsar.'],
      },
      off: {
        state: ['Only operators refund', 'Só os operadores reembolsam'],
        text: [
          'Owners see their refunds. Only operators make them.',
          'Os proprietários veem os seus reembolsos. Só os operadores os efetuam.',
        ],
        button: ['Disallow refunds', 'Impedir reembolsos'],
        question: [
          (name: string) => `Disallow refunds by the owners of ${name}?`,
          (name) => `Impedir reembolsos pelos proprietários de ${name}?`,
        ],
        done: ['Owners can no longer refund.', 'Os proprietários deixam de poder reembolsar.'],
      },
    },
    refundEvents: {
      on: {
        state: ['Refund events are sent', 'Notificações de reembolso ligadas'],
        text: [
          'The shop receives payment.refunded for each refund of an order’s money.',
          'A loja recebe payment.refunded por cada reembolso do dinheiro de uma encomenda.',
        ],
        button: ['Send refund events', 'Ligar notificações'],
        question: [
          (name: string) => `Send refund events to ${name}?`,
          (name) => `Enviar notificações de reembolso a ${name}?`,
        ],
        done: ['Refund events are now sent.', 'As notificações de reembolso estão ligadas.'],
      },
      off: {
        state: ['No refund events', 'Sem notificações de reembolso'],
        text: [
          'The shop receives no event about refunds.',
          'A loja não recebe notificações sobre reembolsos.',
        ],
        button: ['Stop refund events', 'Desligar notificações'],
        question: [
          (name: string) => `Stop sending refund events to ${name}?`,
          (name) => `Deixar de enviar notificações de reembolso a ${name}?`,
        ],
        done: ['Refund events are no longer sent.', 'As notificações de reembolso estão desligadas.'],
      },
    },
  },
});
