import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Customers who gave an email or phone number with an order, one record per merchant.',
    'Clientes que indicaram e-mail ou telefone numa encomenda, um registo por comerciante.',
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 lead' : `${count} leads`),
    (count, one) => (one ? '1 contacto' : `${count} contactos`),
  ],
  searchHint: ['Email, name or phone number', 'E-mail, nome ou telefone'],
  asked: ['No payments', 'Sem pagamentos'],
  paid: ['Has paid', 'Já pagou'],
  erased: ['Erased', 'Eliminado'],
  allCampaigns: ['All', 'Todas'],
  person: ['Person', 'Pessoa'],
  erasedPerson: ['Data erased', 'Dados eliminados'],
  noName: ['No name', 'Sem nome'],
  orders: ['Orders', 'Encomendas'],
  ordersPaid: [
    (paid: string, all: string) => `${paid} of ${all} paid`,
    (paid, all) => `${paid} de ${all} ${all === '1' ? 'paga' : 'pagas'}`,
  ],
  taken: ['Paid', 'Pago'],
  lastSeen: ['Last seen', 'Última vez'],
  none: ['No leads found', 'Nenhum contacto encontrado'],
  noneText: [
    'Search for any part of the name, email or phone number.',
    'Pesquise por qualquer parte do nome, do e-mail ou do número de telefone.',
  ],
  empty: ['No leads yet', 'Ainda não há contactos'],
  emptyText: [
    'The first order with an email or phone number creates the first lead.',
    'A primeira encomenda com e-mail ou telefone cria o primeiro contacto.',
  ],
  lookedThrough: [
    'No match so far. There are more leads to search.',
    'Sem resultados até aqui. Há mais contactos a pesquisar.',
  ],
  lookOn: ['Keep searching', 'Continuar a pesquisar'],
  phone: ['Phone', 'Telefone'],
  firstSeen: ['First seen', 'Primeira vez'],
  askedFor: ['Ordered', 'Valor encomendado'],
  leadId: ['Lead ID', 'ID do contacto'],
  items: ['Latest order', 'Encomenda mais recente'],
  erase: ['Erase this person’s data', 'Eliminar dados pessoais'],
  eraseWhy: [
    'Use this when a customer asks for their data to be deleted.',
    'Utilize quando um cliente pede a eliminação dos seus dados.',
  ],
  eraseTitle: ['Erase this person’s data?', 'Eliminar os dados desta pessoa?'],
  eraseDo: ['Erase permanently', 'Eliminar definitivamente'],
  eraseGone: [
    'Name, email, phone, addresses, items and campaign data are erased from this lead and its orders, together with the responses of the shop’s endpoint. They cannot be restored.',
    'Nome, e-mail, telefone, moradas, artigos e dados de campanha são eliminados deste contacto e das suas encomendas, tal como as respostas do endpoint da loja. Não podem ser recuperados.',
  ],
  eraseStays: [
    'Amounts, statuses and payments received are kept. Payments in progress continue.',
    'Os valores, estados e recebimentos são mantidos. Os pagamentos em curso continuam.',
  ],
  eraseOther: [
    'Leads of other merchants do not change. Existing backups still contain the data.',
    'Os contactos de outros comerciantes não são alterados. As cópias de segurança existentes ainda contêm os dados.',
  ],
  eraseStarted: ['Data erased.', 'Dados eliminados.'],
  running: [
    (done: string, all: string) => `Erasing: ${done} of ${all} orders`,
    (done, all) => `A eliminar: ${done} de ${all} encomendas`,
  ],
  waiting: [
    'Erased. A payment or webhook is still in progress; its data is erased when it ends.',
    'Dados eliminados. Ainda há um pagamento ou um webhook em curso; os seus dados são eliminados quando terminar.',
  ],
  done: [
    (when: string) => `Erased on ${when}. Only amounts and statuses were kept.`,
    (when) => `Dados eliminados a ${when}. Só foram mantidos valores e estados.`,
  ],
});
