import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Live service health. Updates every few seconds.',
    'Estado do serviço em tempo real, atualizado a cada poucos segundos.',
  ],
  levels: {
    good: ['OK', 'Normal'],
    attention: ['Warning', 'Atenção'],
    bad: ['Critical', 'Crítico'],
  },
  overall: {
    good: ['Healthy', 'Em funcionamento'],
    attention: ['Degraded: something needs attention', 'Em funcionamento, com alertas'],
    bad: ['Down: something has failed', 'Serviço com falhas'],
  },
  read: ['Updated', 'Atualizado às'],
  unknown: ['Unknown', 'Desconhecido'],
  lastMinutes: [(span: string) => `Last ${span}`, (span) => `Últimos ${span}`],
  queue: {
    title: ['Webhook queue', 'Fila de webhooks'],
    good: ['Events are sent as they occur.', 'As notificações são enviadas de imediato.'],
    attention: [
      'Some events have waited longer than a minute because an endpoint is slow or down. Other merchants are not affected.',
      'Há notificações à espera há mais de um minuto, porque um endpoint está lento ou indisponível. Os outros comerciantes não são afetados.',
    ],
    bad: [
      'Deliveries are stuck: due events are not being sent. Restart the service (nothing is lost), then check the log.',
      'As entregas estão bloqueadas: há notificações prontas que não são enviadas. Reinicie o serviço (nada se perde) e consulte o registo.',
    ],
    due: ['Waiting', 'À espera'],
    more: [(count: string) => `${count} or more`, (count) => `${count} ou mais`],
    oldest: ['Oldest', 'Mais antiga'],
    unclaimed: ['Ready, not picked up', 'Prontas e por enviar'],
    attempts: ['Deliveries', 'Entregas'],
    attemptsText: [
      (good: string, bad: string) => `${good} delivered, ${bad} failed`,
      (good, bad) => `${good} com êxito, ${bad} sem êxito`,
    ],
    nothing: ['None', 'Nenhuma'],
  },
  undelivered: {
    title: ['Undelivered events, last 24 hours', 'Notificações por entregar, últimas 24 horas'],
    good: [
      'Every event of the last 24 hours was delivered, some after a retry.',
      'Todas as notificações das últimas 24 horas foram entregues, algumas após nova tentativa.',
    ],
    attention: [
      'These merchants have undelivered events. Ask them to check their endpoint, then resend from their Webhook page.',
      'Há notificações por entregar a estes comerciantes. Peça-lhes que verifiquem o endpoint e reenvie na página Webhook de cada um.',
    ],
    events: ['Events', 'Notificações'],
    more: [(count: string) => `more than ${count}`, (count) => `mais de ${count}`],
  },
  refunds: {
    title: ['Refunds made outside this service', 'Reembolsos feitos fora deste serviço'],
    attention: [
      'The bank reports refunds that this service did not make. Record or dismiss each one.',
      'O banco comunica reembolsos que este serviço não fez. Registe ou arquive cada um.',
    ],
    open: ['Open refunds', 'Abrir reembolsos'],
  },
  bank: {
    title: ['Bank', 'Banco'],
    sandbox: ['Simulated bank, test money', 'Banco simulado, dinheiro de teste'],
    good: [
      'The bank responds, and its list of received payments is up to date.',
      'O banco responde e a lista de pagamentos recebidos está atualizada.',
    ],
    attention: [
      'Some calls to the bank get no answer. The service keeps retrying. No payment is lost; some may be late.',
      'Algumas chamadas ao banco ficam sem resposta. O serviço repete-as. Nenhum pagamento se perde; alguns podem chegar mais tarde.',
    ],
    bad: [
      'The list of payments has not been read for a long time, or almost no call is answered. Check the network, then the account’s keys and the bank’s status page.',
      'A lista de pagamentos não é lida há muito tempo, ou quase nenhuma chamada tem resposta. Verifique a rede, as chaves da conta e a página de estado do banco.',
    ],
    none: [
      'No bank account is configured, so no payment can start. Set the default account under Merchants.',
      'Não há conta bancária configurada, pelo que nenhum pagamento pode ser iniciado. Defina a conta predefinida em Comerciantes.',
    ],
    calls: ['Calls', 'Chamadas'],
    callsText: [
      (calls: string, failed: string) => `${calls}, ${failed} unanswered`,
      (calls, failed) => `${calls}, ${failed} sem resposta`,
    ],
    defaultAccount: ['Default account', 'Conta predefinida'],
    former: ['replaced', 'substituída'],
    listRead: ['Last complete payment list', 'Última lista de pagamentos completa'],
    unavailable: [(since: string) => `No answer since ${since}`, (since) => `Sem resposta desde ${since}`],
    speaks: ['Responding', 'A responder'],
    kind: ['Kind', 'Tipo'],
  },
  http: {
    title: ['Requests', 'Pedidos'],
    good: [
      'At most 1% of the requests ended in an error (5xx).',
      'No máximo, 1% dos pedidos terminou em erro (5xx).',
    ],
    attention: [
      'Some requests ended in a server or bank error (5xx). Find them in the log by request ID.',
      'Alguns pedidos terminaram em erro do servidor ou do banco (5xx). Pesquise-os no registo pelo ID do pedido.',
    ],
    bad: [
      'Many requests end in an error (5xx). Check the log, the disk and the bank.',
      'Muitos pedidos terminam em erro (5xx). Verifique o registo, o disco e o banco.',
    ],
    requests: ['Answered', 'Respondidos'],
    errors: ['Server errors (5xx)', 'Erros do servidor (5xx)'],
    refused: ['Client errors (4xx)', 'Erros do cliente (4xx)'],
    errorsText: [
      (count: string, share: string) => `${count} (${share})`,
      (count, share) => `${count} (${share})`,
    ],
  },
  process: {
    title: ['Process', 'Processo'],
    memory: ['Memory', 'Memória'],
    uptime: ['Uptime', 'Em execução há'],
  },
  storage: {
    title: ['Database', 'Base de dados'],
    good: ['There is enough disk space.', 'Há espaço suficiente em disco.'],
    unseen: [
      'The service does not see the disk of PostgreSQL. Monitor it on the server.',
      'O serviço não vê o disco do PostgreSQL. Vigie-o no servidor.',
    ],
    attention: [
      'The disk is filling up. Free some space, or move the database to a larger disk.',
      'O disco está a ficar cheio. Liberte espaço ou mude a base de dados para um disco maior.',
    ],
    bad: [
      'The disk is almost full. Free some space now, or payments can no longer be recorded.',
      'O disco está quase cheio. Liberte espaço já, ou deixará de ser possível registar pagamentos.',
    ],
    size: ['Size', 'Tamanho'],
    free: ['Free disk space', 'Espaço livre em disco'],
    backup: ['Latest backup', 'Última cópia de segurança'],
    backupNone: ['None taken by the service', 'Nenhuma feita pelo serviço'],
    backupSandbox: ['Not needed for test money', 'Desnecessária com dinheiro de teste'],
    backupByServer: ['Made on the PostgreSQL server', 'Feita no servidor PostgreSQL'],
    slowSearch: [
      'The PostgreSQL extension pg_trgm is not in use. Searches find everything, but take longer the more payments there are.',
      'A extensão pg_trgm do PostgreSQL não está em uso. As pesquisas encontram tudo, mas demoram mais quanto mais pagamentos houver.',
    ],
    guide: ['How to add it', 'Como a adicionar'],
    backupByServerTodo: [
      'The service does not see backups of PostgreSQL. Make and check them on the server.',
      'O serviço não vê as cópias do PostgreSQL. Faça-as e verifique-as no servidor.',
    ],
    backupByServerGuide: ['How to back up', 'Como fazer cópias'],
    backupTodo: [
      'Back up regularly. The secret key is not included; store it separately:',
      'Faça cópias com regularidade. A chave secreta não está incluída; guarde-a à parte:',
    ],
  },
  versions: {
    title: ['Versions', 'Versões'],
    service: ['Service', 'Serviço'],
    node: ['Node.js', 'Node.js'],
    database: ['Database', 'Base de dados'],
    schema: ['Schema', 'Esquema'],
  },
});
