import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Your shop’s server uses an API key to create payments and check their status.',
    'O servidor da sua loja usa uma chave de API para criar pagamentos e consultar o seu estado.',
  ],
  tabs: {
    keys: ['API keys', 'Chaves de API'],
    call: ['First call', 'Primeiro pedido'],
    requests: ['Requests', 'Pedidos'],
  },
  warningTitle: [
    'A key belongs on your server, never in a browser',
    'A chave fica no servidor, nunca num navegador',
  ],
  warning: [
    'Never put it in a page, script or app that customers load: anyone who reads it can create payments in your name. If that has happened, rotate the key now, without a grace period.',
    'Nunca a coloque numa página, num script ou numa aplicação que os clientes carreguem: quem a ler pode criar pagamentos em seu nome. Se isso já aconteceu, substitua a chave agora, sem período de transição.',
  ],
  roll: ['Rotate key…', 'Substituir chave…'],
  keyLabel: ['the API key', 'a chave de API'],
  current: ['Main key', 'Chave principal'],
  unusable: [
    'does not work while the merchant is deactivated',
    'não funciona enquanto o comerciante estiver desativado',
  ],
  ending: ['Main key, expiring', 'Chave principal, a expirar'],
  created: ['Created', 'Criada'],
  ends: ['Stops working', 'Deixa de funcionar'],
  endedAt: ['Stopped working', 'Deixou de funcionar'],
  viewer: [
    'Only owners can reveal, create, rotate and revoke keys.',
    'Só os proprietários podem mostrar, criar, substituir e revogar chaves.',
  ],
  use: ['How to use it', 'Como se usa'],
  useHint: ['Send it with every call in this header:', 'Envie-a em cada pedido, neste cabeçalho:'],
  tryHint: [
    'A first call, which lists your payment methods:',
    'Um primeiro pedido, que lista os seus métodos de pagamento:',
  ],
  tryCopy: ['Copy with my key', 'Copiar com a minha chave'],
  docs: ['Open the documentation', 'Abrir a documentação'],
  testPhone: [
    (phone: string) =>
      `In the sandbox, the phone ${phone} accepts each MB WAY payment at once. No money is moved.`,
    (phone) =>
      `No ambiente de testes, o telemóvel ${phone} aceita de imediato cada pagamento MB WAY. Não há dinheiro envolvido.`,
  ],
  testPhones: ['Open the test phones', 'Abrir os telemóveis de teste'],
  older: ['Previous keys', 'Chaves anteriores'],
  made: ['Your new key', 'A sua nova chave'],
  madeHint: [
    'It works now. Install it on your server. You can reveal it here again at any time.',
    'Já está ativa. Instale-a no seu servidor. Pode voltar a mostrá-la aqui em qualquer altura.',
  ],
  madeOld: [
    (until: string) => `The old key works until ${until}.`,
    (until) => `A chave antiga funciona até ${until}.`,
  ],
  madeNow: ['The old key has stopped working.', 'A chave antiga deixou de funcionar.'],
  requests: {
    title: ['API requests', 'Pedidos à API'],
    counted: [
      (count: string, one: boolean) => (one ? '1 request' : `${count} requests`),
      (count, one) => (one ? '1 pedido' : `${count} pedidos`),
    ],
    kept: [
      'The requests of the last 7 days, without their contents. Up to 300 successful requests in a burst are listed, then 3 per minute; of failed requests twice as many. Requests without a valid key and those refused by the rate limit are not listed.',
      'Os pedidos dos últimos 7 dias, sem o seu conteúdo. São listados até 300 pedidos bem-sucedidos seguidos e depois 3 por minuto; dos pedidos com erro, o dobro. Os pedidos sem chave válida e os recusados pelo limite de pedidos não são listados.',
    ],
    show: ['Show', 'Mostrar'],
    errors: ['Errors', 'Erros'],
    none: ['No requests in the last 7 days', 'Sem pedidos nos últimos 7 dias'],
    noneHint: [
      'A request appears here about a second after its answer.',
      'Um pedido aparece aqui cerca de um segundo após a resposta.',
    ],
    noErrors: ['No failed requests in the last 7 days', 'Sem pedidos com erro nos últimos 7 dias'],
    request: ['Request', 'Pedido'],
    at: ['Time', 'Hora'],
    duration: ['Duration', 'Duração'],
    key: ['Key', 'Chave'],
    yes: ['Yes', 'Sim'],
    no: ['No', 'Não'],
    open: ['Open', 'Abrir'],
    closed: ['connection closed by the client', 'ligação fechada pelo cliente'],
    skipped: [
      (count: string) => `Earlier requests not listed: ${count}`,
      (count) => `Pedidos anteriores não listados: ${count}`,
    ],
  },
  named: {
    title: ['Named keys', 'Chaves com nome'],
    none: [
      'A key with a name, for example for the ERP or a second shop, can be revoked without affecting the others.',
      'Uma chave com nome, por exemplo para o ERP ou para uma segunda loja, pode ser revogada sem afetar as outras.',
    ],
    key: ['Key', 'Chave'],
    made: [(name: string) => `New key “${name}”`, (name) => `Nova chave «${name}»`],
    madeHint: [
      'It works now. Copy it now: it is not shown again.',
      'Já está ativa. Copie-a agora: não volta a ser mostrada.',
    ],
    create: {
      open: ['New key…', 'Nova chave…'],
      title: ['Create a named key', 'Criar chave com nome'],
      body: [
        'The key works at once and does everything that the main key does. Rotating the main key does not affect it.',
        'A chave funciona de imediato e permite tudo o que a chave principal permite. Substituir a chave principal não a afeta.',
      ],
      example: ['ERP', 'ERP'],
      expiries: {
        never: ['Never', 'Nunca'],
        '30': ['In 30 days', 'Dentro de 30 dias'],
        '90': ['In 90 days', 'Dentro de 90 dias'],
        '365': ['In 365 days', 'Dentro de 365 dias'],
      },
      confirm: ['Create key', 'Criar chave'],
    },
    revoke: {
      button: ['Revoke…', 'Revogar…'],
      open: [(name: string) => `Revoke ${name}…`, (name) => `Revogar ${name}…`],
      title: [(name: string) => `Revoke “${name}”?`, (name) => `Revogar «${name}»?`],
      body: [
        'The next request with this key is refused. A revoked key cannot be restored.',
        'O próximo pedido com esta chave é recusado. Uma chave revogada não pode ser reposta.',
      ],
      confirm: ['Revoke key', 'Revogar chave'],
      done: [(name: string) => `${name} revoked.`, (name) => `${name} revogada.`],
    },
  },
  dialog: {
    title: ['Create a new key', 'Criar nova chave'],
    body: [
      'The new key works at once. Choose how long the old key keeps working, so that you can replace it without interruption.',
      'A nova chave funciona de imediato. Escolha durante quanto tempo a antiga continua a funcionar, para a substituir sem interrupções.',
    ],
    grace: ['Old key keeps working for', 'A chave antiga funciona durante'],
    hours: {
      '0': ['Revoke now', 'Revogar já'],
      '1': ['1 hour', '1 hora'],
      '24': ['24 hours', '24 horas'],
      '72': ['3 days', '3 dias'],
      '168': ['7 days', '7 dias'],
    },
    now: [
      'Your shop cannot create payments until its server has the new key.',
      'A sua loja não pode criar pagamentos até o servidor ter a nova chave.',
    ],
    confirm: ['Create new key', 'Criar nova chave'],
  },
});
