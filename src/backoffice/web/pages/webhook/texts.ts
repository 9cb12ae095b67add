import { texts } from '../../lib/i18n.ts';

/** The texts of the webhook page. */
export const TEXTS = texts({
  en: {
    description:
      'When a payment changes, an event is sent to your shop’s server at once. Only this event confirms a payment; a page shown to the customer does not.',
    viewer: 'You can view these settings. Only owners can change them.',
    secret: {
      title: 'Signing secret',
      label: 'the webhook secret',
      hint: 'Your server uses it to verify that an event comes from us. Keep it on the server.',
      rotate: 'Rotate…',
      rotateTitle: 'Rotate the secret',
      rotateBody: 'Rotate regularly, and at once if the secret may have been exposed.',
      gentle: 'Both secrets for 24 hours',
      gentleHint: 'Gives you time to install the new one without losing an event.',
      now: 'Only the new one, at once',
      nowHint: 'Your server rejects events until it has the new secret.',
      confirm: 'Rotate secret',
      rotated: 'New secret',
      rotatedHint: 'Install it on your server. You can reveal it here again at any time.',
      running: (until: string) => `Two secrets until ${until}`,
      runningHint:
        'X-Service-Signature still uses the old secret; webhook-signature contains a signature for each. Install the new secret, then finish the rotation.',
      finish: 'Finish rotation',
      finishTitle: 'Retire the old secret?',
      finishBody:
        'From the next event, only the new secret is used. A server that still has the old one rejects events.',
      finishConfirm: 'Retire the old secret',
      finished: 'Only the new secret is used now.',
    },
    test: {
      title: 'Test',
      hint: 'Sends a webhook.test event (€1.00, not a real payment), even while sending is off, and shows your server’s response.',
      send: 'Send test event',
      again: 'Send another test event',
      noUrl: 'Save a URL first.',
      sample: 'What your server receives',
      waiting: 'Waiting for your server…',
      next: 'Next attempt in a moment',
      arrived: 'Your server accepted the event',
      failed: 'Your server did not accept the event',
      failedHint: 'We stop after four attempts. Fix your server and send another test event.',
    },
    log: {
      title: 'Deliveries',
      label: 'Deliveries, newest first',
      counted: (count: string, one: boolean) => (one ? '1 delivery' : `${count} deliveries`),
      kind: 'Event',
      missed: 'Missing at your shop',
      clear: 'Clear filters',
      empty: 'No events yet',
      emptyHint: 'Each payment change creates an event, listed here with every delivery attempt.',
      nothing: 'No results for these filters',
      nothingSoFar: (date: string) => `Nothing found back to ${date}`,
      searched: (date: string) => `Searched back to ${date}.`,
      export: 'Export events',
      exportHint: 'All events in order, one JSON object per line.',
    },
    recovery: {
      alarm: (count: string, many: boolean) =>
        many
          ? `${count} payment events were not delivered to your server`
          : 'One payment event was not delivered to your server',
      alarmMore: (count: string) => `More than ${count} payment events were not delivered to your server`,
      alarmHint: (since: string, many: boolean, isOn: boolean) => {
        const first = isOn ? 'Fix your endpoint' : 'Turn the webhook on';
        return many
          ? `Oldest: ${since}. ${first}, then resend them all.`
          : `It is from ${since}. ${first}, then resend it.`;
      },
      open: 'Resend undelivered events…',
      title: 'Resend undelivered events',
      body: 'Every undelivered event since this time is sent again with the same content. Events of new payments are not delayed.',
      since: 'Since (Lisbon time)',
      sinceWrong: 'Enter a date and time in the past.',
      latest: 'Only the latest event of each payment',
      latestHint: 'Enough if you only need the current status of each payment.',
      confirm: 'Resend',
      runs: 'Resends',
      run: (since: string) => `All undelivered events since ${since}`,
      runLatest: (since: string) => `The latest undelivered events since ${since}`,
      started: (ago: string) => `started ${ago}`,
      queuing: 'Collecting undelivered events…',
      interrupted: 'Interrupted before all events were queued. Start it again; nothing is sent twice.',
      none: 'No undelivered events.',
      progress: (done: string, all: string) => `${done} of ${all} sent`,
      allArrived: (all: string, one: boolean) => (one ? 'The event was delivered' : `All ${all} delivered`),
      failed: (count: string) => `${count} failed again`,
      skipped: (count: string) =>
        `${count} not sent: sending or automatic recovery was off, or a later event had been delivered`,
      bar: 'Progress of the resend',
    },
    verify: {
      title: 'Verify webhook signatures',
      hint: 'Verify the signature over the raw request body before you parse it, and answer 401 if it does not match. Answer within 8 seconds, ideally within one, and do the work afterwards.',
      language: 'Language',
      style: 'Signature header',
      service: 'The simplest option: one signature with your complete secret.',
      standard:
        'The Standard Webhooks format: also prevents replays, and covers both secrets during a rotation.',
      copy: 'the code',
      twice: 'The same event can arrive more than once. Deduplicate on data.id together with event.',
    },
  },
  pt: {
    description:
      'Quando um pagamento muda, o servidor da sua loja é notificado de imediato. Só a notificação confirma um pagamento; uma página mostrada ao cliente não o confirma.',
    viewer: 'Pode consultar estas definições. Só os proprietários as podem alterar.',
    secret: {
      title: 'Segredo de assinatura',
      label: 'o segredo do webhook',
      hint: 'O seu servidor usa-o para validar que uma notificação vem de nós. Guarde-o só no servidor.',
      rotate: 'Substituir…',
      rotateTitle: 'Substituir o segredo',
      rotateBody: 'Substitua-o com regularidade, e de imediato se o segredo puder ter sido exposto.',
      gentle: 'Os dois segredos durante 24 horas',
      gentleHint: 'Dá tempo para instalar o novo sem perder notificações.',
      now: 'Só o novo, de imediato',
      nowHint: 'O seu servidor rejeita notificações até ter o novo segredo.',
      confirm: 'Substituir segredo',
      rotated: 'Novo segredo',
      rotatedHint: 'Instale-o no seu servidor. Pode voltar a mostrá-lo aqui em qualquer altura.',
      running: (until) => `Dois segredos até ${until}`,
      runningHint:
        'X-Service-Signature ainda usa o segredo antigo; webhook-signature inclui uma assinatura de cada um. Instale o novo e depois conclua a substituição.',
      finish: 'Concluir a substituição',
      finishTitle: 'Retirar o segredo antigo?',
      finishBody:
        'A partir da próxima notificação, só o novo segredo é usado. Um servidor que ainda tenha o antigo rejeita as notificações.',
      finishConfirm: 'Retirar o segredo antigo',
      finished: 'Só o novo segredo está em uso.',
    },
    test: {
      title: 'Teste',
      hint: 'Envia uma notificação webhook.test (1,00 €, não é um pagamento real), mesmo com o envio desligado, e mostra a resposta do seu servidor.',
      send: 'Enviar notificação de teste',
      again: 'Enviar outra notificação de teste',
      noUrl: 'Guarde primeiro um URL.',
      sample: 'O que o seu servidor recebe',
      waiting: 'À espera do seu servidor…',
      next: 'Nova tentativa daqui a instantes',
      arrived: 'O seu servidor aceitou a notificação',
      failed: 'O seu servidor não aceitou a notificação',
      failedHint: 'São feitas quatro tentativas. Corrija o servidor e envie outra notificação de teste.',
    },
    log: {
      title: 'Entregas',
      label: 'Entregas, da mais recente para a mais antiga',
      counted: (count, one) => (one ? '1 entrega' : `${count} entregas`),
      kind: 'Notificação',
      missed: 'Em falta na sua loja',
      clear: 'Limpar filtros',
      empty: 'Ainda não há notificações',
      emptyHint:
        'Cada alteração de um pagamento gera uma notificação, listada aqui com todas as tentativas de entrega.',
      nothing: 'Sem resultados para estes filtros',
      nothingSoFar: (date) => `Sem resultados até ${date}`,
      searched: (date) => `Pesquisado até ${date}.`,
      export: 'Exportar notificações',
      exportHint: 'Todas as notificações por ordem, um objeto JSON por linha.',
    },
    recovery: {
      alarm: (count, many) =>
        many
          ? `${count} notificações de pagamento por entregar ao seu servidor`
          : 'Uma notificação de pagamento por entregar ao seu servidor',
      alarmMore: (count) => `Mais de ${count} notificações de pagamento por entregar ao seu servidor`,
      alarmHint: (since, many, isOn) => {
        const first = isOn ? 'Corrija o endpoint' : 'Ligue o webhook';
        return many
          ? `A mais antiga é de ${since}. ${first} e reenvie todas.`
          : `É de ${since}. ${first} e reenvie-a.`;
      },
      open: 'Reenviar notificações por entregar…',
      title: 'Reenviar notificações por entregar',
      body: 'Todas as notificações por entregar desde a data indicada são reenviadas com o mesmo conteúdo. As dos novos pagamentos não sofrem atrasos.',
      since: 'Desde (hora de Lisboa)',
      sinceWrong: 'Indique uma data e hora no passado.',
      latest: 'Só a última notificação de cada pagamento',
      latestHint: 'Suficiente se só precisa do estado atual de cada pagamento.',
      confirm: 'Reenviar',
      runs: 'Reenvios',
      run: (since) => `Todas as notificações por entregar desde ${since}`,
      runLatest: (since) => `As últimas notificações por entregar desde ${since}`,
      started: (ago) => `iniciado ${ago}`,
      queuing: 'A reunir as notificações por entregar…',
      interrupted:
        'Interrompido antes de todas ficarem em fila. Inicie novamente; nada é enviado em duplicado.',
      none: 'Sem notificações por entregar.',
      progress: (done, all) => `Enviadas: ${done} de ${all}`,
      allArrived: (all, one) => (one ? 'A notificação foi entregue' : `Todas as ${all} entregues`),
      failed: (count) => `${count} com nova falha`,
      skipped: (count) =>
        `${count} por enviar: o envio ou a recuperação automática estavam desligados, ou já tinha sido entregue uma notificação posterior`,
      bar: 'Progresso do reenvio',
    },
    verify: {
      title: 'Validar a assinatura das notificações',
      hint: 'Valide a assinatura sobre o corpo original do pedido, antes de o interpretar, e responda 401 se não corresponder. Responda em menos de 8 segundos, de preferência num só, e processe depois.',
      language: 'Linguagem',
      style: 'Cabeçalho da assinatura',
      service: 'A opção mais simples: uma assinatura com o segredo completo.',
      standard:
        'O formato Standard Webhooks: também impede repetições e abrange os dois segredos durante uma substituição.',
      copy: 'o código',
      twice:
        'A mesma notificação pode chegar mais de uma vez. Para eliminar duplicados, use data.id em conjunto com event.',
    },
  },
});
