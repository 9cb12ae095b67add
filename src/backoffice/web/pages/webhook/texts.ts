import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'When a payment changes, an event is sent to your shop’s server at once. Only this event confirms a payment; a page shown to the customer does not.',
    'Quando um pagamento muda, o servidor da sua loja é notificado de imediato. Só a notificação confirma um pagamento; uma página mostrada ao cliente não o confirma.',
  ],
  viewer: [
    'You can view these settings. Only owners can change them.',
    'Pode consultar estas definições. Só os proprietários as podem alterar.',
  ],
  secret: {
    title: ['Signing secret', 'Segredo de assinatura'],
    label: ['the webhook secret', 'o segredo do webhook'],
    hint: [
      'Your server uses it to verify that an event comes from us. Keep it on the server.',
      'O seu servidor usa-o para validar que uma notificação vem de nós. Guarde-o só no servidor.',
    ],
    rotate: ['Rotate…', 'Substituir…'],
    rotateTitle: ['Rotate the secret', 'Substituir o segredo'],
    rotateBody: [
      'Rotate regularly, and at once if the secret may have been exposed.',
      'Substitua-o com regularidade, e de imediato se o segredo puder ter sido exposto.',
    ],
    gentle: ['Both secrets for 24 hours', 'Os dois segredos durante 24 horas'],
    gentleHint: [
      'Gives you time to install the new one without losing an event.',
      'Dá tempo para instalar o novo sem perder notificações.',
    ],
    now: ['Only the new one, at once', 'Só o novo, de imediato'],
    nowHint: [
      'Your server rejects events until it has the new secret.',
      'O seu servidor rejeita notificações até ter o novo segredo.',
    ],
    confirm: ['Rotate secret', 'Substituir segredo'],
    rotated: ['New secret', 'Novo segredo'],
    rotatedHint: [
      'Install it on your server. You can reveal it here again at any time.',
      'Instale-o no seu servidor. Pode voltar a mostrá-lo aqui em qualquer altura.',
    ],
    running: [(until: string) => `Two secrets until ${until}`, (until) => `Dois segredos até ${until}`],
    runningHint: [
      'X-Service-Signature still uses the old secret; webhook-signature contains a signature for each. Install the new secret together with the old one, then finish the rotation.',
      'X-Service-Signature ainda usa o segredo antigo; webhook-signature inclui uma assinatura de cada um. Instale o novo juntamente com o antigo e depois conclua a substituição.',
    ],
    finish: ['Finish rotation', 'Concluir a substituição'],
    finishTitle: ['Retire the old secret?', 'Retirar o segredo antigo?'],
    finishBody: [
      'From the next event, only the new secret is used. A server that still has the old one rejects events.',
      'A partir da próxima notificação, só o novo segredo é usado. Um servidor que ainda tenha o antigo rejeita as notificações.',
    ],
    finishConfirm: ['Retire the old secret', 'Retirar o segredo antigo'],
    finished: ['Only the new secret is used now.', 'Só o novo segredo está em uso.'],
  },
  test: {
    title: ['Test', 'Teste'],
    hint: [
      'Sends a webhook.test event (€1.00, not a real payment), even while sending is off, and shows your server’s response.',
      'Envia uma notificação webhook.test (1,00 €, não é um pagamento real), mesmo com o envio desligado, e mostra a resposta do seu servidor.',
    ],
    send: ['Send test event', 'Enviar notificação de teste'],
    again: ['Send another test event', 'Enviar outra notificação de teste'],
    noUrl: ['Save a URL first.', 'Guarde primeiro um URL.'],
    sample: ['What your server receives', 'O que o seu servidor recebe'],
    waiting: ['Waiting for your server…', 'À espera do seu servidor…'],
    next: ['Next attempt in a moment', 'Nova tentativa daqui a instantes'],
    arrived: ['Your server accepted the event', 'O seu servidor aceitou a notificação'],
    failed: ['Your server did not accept the event', 'O seu servidor não aceitou a notificação'],
    failedHint: [
      'We stop after four attempts. Fix your server and send another test event.',
      'São feitas quatro tentativas. Corrija o servidor e envie outra notificação de teste.',
    ],
  },
  log: {
    title: ['Deliveries', 'Entregas'],
    label: ['Deliveries, newest first', 'Entregas, da mais recente para a mais antiga'],
    counted: [
      (count: string, one: boolean) => (one ? '1 delivery' : `${count} deliveries`),
      (count, one) => (one ? '1 entrega' : `${count} entregas`),
    ],
    kind: ['Event', 'Notificação'],
    missed: ['Missing at your shop', 'Em falta na sua loja'],
    clear: ['Clear filters', 'Limpar filtros'],
    empty: ['No events yet', 'Ainda não há notificações'],
    emptyHint: [
      'Each payment change creates an event, listed here with every delivery attempt.',
      'Cada alteração de um pagamento gera uma notificação, listada aqui com todas as tentativas de entrega.',
    ],
    nothing: ['No results for these filters', 'Sem resultados para estes filtros'],
    nothingSoFar: [(date: string) => `Nothing found back to ${date}`, (date) => `Sem resultados até ${date}`],
    searched: [(date: string) => `Searched back to ${date}.`, (date) => `Pesquisado até ${date}.`],
    export: ['Export events', 'Exportar notificações'],
    exportHint: [
      'All events in order, one JSON object per line.',
      'Todas as notificações por ordem, um objeto JSON por linha.',
    ],
  },
  recovery: {
    alarm: [
      (count: string, many: boolean) =>
        many
          ? `${count} payment events were not delivered to your server`
          : 'One payment event was not delivered to your server',
      (count, many) =>
        many
          ? `${count} notificações de pagamento por entregar ao seu servidor`
          : 'Uma notificação de pagamento por entregar ao seu servidor',
    ],
    alarmMore: [
      (count: string) => `More than ${count} payment events were not delivered to your server`,
      (count) => `Mais de ${count} notificações de pagamento por entregar ao seu servidor`,
    ],
    alarmHint: [
      (since: string, many: boolean, isOn: boolean) => {
        const first = isOn ? 'Fix your endpoint' : 'Turn the webhook on';
        return many
          ? `Oldest: ${since}. ${first}, then resend them all.`
          : `It is from ${since}. ${first}, then resend it.`;
      },
      (since, many, isOn) => {
        const first = isOn ? 'Corrija o endpoint' : 'Ligue o webhook';
        return many
          ? `A mais antiga é de ${since}. ${first} e reenvie todas.`
          : `É de ${since}. ${first} e reenvie-a.`;
      },
    ],
    open: ['Resend undelivered events…', 'Reenviar notificações por entregar…'],
    title: ['Resend undelivered events', 'Reenviar notificações por entregar'],
    body: [
      'Every undelivered event since this time is sent again with the same content. Events of new payments are not delayed.',
      'Todas as notificações por entregar desde a data indicada são reenviadas com o mesmo conteúdo. As dos novos pagamentos não sofrem atrasos.',
    ],
    since: ['Since (Lisbon time)', 'Desde (hora de Lisboa)'],
    sinceWrong: ['Enter a date and time in the past.', 'Indique uma data e hora no passado.'],
    latest: ['Only the latest event of each payment', 'Só a última notificação de cada pagamento'],
    latestHint: [
      'Enough if you only need the current status of each payment.',
      'Suficiente se só precisa do estado atual de cada pagamento.',
    ],
    confirm: ['Resend', 'Reenviar'],
    runs: ['Resends', 'Reenvios'],
    run: [
      (since: string) => `All undelivered events since ${since}`,
      (since) => `Todas as notificações por entregar desde ${since}`,
    ],
    runLatest: [
      (since: string) => `The latest undelivered events since ${since}`,
      (since) => `As últimas notificações por entregar desde ${since}`,
    ],
    started: [(ago: string) => `started ${ago}`, (ago) => `iniciado ${ago}`],
    queuing: ['Collecting undelivered events…', 'A reunir as notificações por entregar…'],
    interrupted: [
      'Interrupted before all events were queued. Start it again; nothing is sent twice.',
      'Interrompido antes de todas ficarem em fila. Inicie novamente; nada é enviado em duplicado.',
    ],
    none: ['No undelivered events.', 'Sem notificações por entregar.'],
    progress: [
      (done: string, all: string) => `${done} of ${all} sent`,
      (done, all) => `Enviadas: ${done} de ${all}`,
    ],
    allArrived: [
      (all: string, one: boolean) => (one ? 'The event was delivered' : `All ${all} delivered`),
      (all, one) => (one ? 'A notificação foi entregue' : `Todas as ${all} entregues`),
    ],
    failed: [(count: string) => `${count} failed again`, (count) => `${count} com nova falha`],
    skipped: [
      (count: string) =>
        `${count} not sent: sending or automatic recovery was off, or a later event had been delivered`,
      (count) =>
        `${count} por enviar: o envio ou a recuperação automática estavam desligados, ou já tinha sido entregue uma notificação posterior`,
    ],
    bar: ['Progress of the resend', 'Progresso do reenvio'],
  },
  verify: {
    title: ['Verify webhook signatures', 'Validar a assinatura das notificações'],
    hint: [
      'Verify the signature over the raw request body before you parse it, and answer 401 if it does not match. Answer within 8 seconds, ideally within one, and do the work afterwards.',
      'Valide a assinatura sobre o corpo original do pedido, antes de o interpretar, e responda 401 se não corresponder. Responda em menos de 8 segundos, de preferência num só, e processe depois.',
    ],
    language: ['Language', 'Linguagem'],
    style: ['Signature header', 'Cabeçalho da assinatura'],
    service: [
      'The simplest option: one signature with your complete secret.',
      'A opção mais simples: uma assinatura com o segredo completo.',
    ],
    standard: [
      'The Standard Webhooks format: also prevents replays, and covers both secrets during a rotation.',
      'O formato Standard Webhooks: também impede repetições e abrange os dois segredos durante uma substituição.',
    ],
    copy: ['the code', 'o código'],
    twice: [
      'The same event can arrive more than once. Deduplicate on data.id together with event.',
      'A mesma notificação pode chegar mais de uma vez. Para eliminar duplicados, use data.id em conjunto com event.',
    ],
  },
});
