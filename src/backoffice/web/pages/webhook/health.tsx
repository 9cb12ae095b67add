import { Switch, Text } from '@mantine/core';
import { format } from '../../lib/format.ts';
import { texts } from '../../lib/i18n.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { useNow } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import type { Webhook } from './types.ts';

const TEXTS = texts({
  title: ['Health', 'Estado'],
  none: ['There is no URL, so nothing is sent.', 'Não há URL, por isso nada é enviado.'],
  off: ['Sending is off, so nothing is sent.', 'O envio está desligado, por isso nada é enviado.'],
  unused: [
    'Nothing has been sent yet. Send a test event.',
    'Ainda nada foi enviado. Envie uma notificação de teste.',
  ],
  healthy: [
    (ago: string) => `Healthy: the latest event was delivered ${ago}.`,
    (ago) => `Normal: a última notificação foi entregue ${ago}.`,
  ],
  unstable: [
    (ago: string) => `Unstable: the latest event was delivered ${ago}, but some of the last 20 were not.`,
    (ago) => `Instável: a última notificação foi entregue ${ago}, mas algumas das últimas 20 não.`,
  ],
  failing: [
    (ago: string) => `Down: the latest event was not delivered; the last success was ${ago}.`,
    (ago) => `Em falha: a última notificação não foi entregue; a última entrega foi ${ago}.`,
  ],
  never: ['Down: no event has been delivered yet.', 'Em falha: ainda não foi entregue nenhuma notificação.'],
  toggle: ['Recover automatically', 'Recuperar automaticamente'],
  hint: [
    'Undelivered events are sent again at growing intervals, and all of them as soon as your server accepts one.',
    'As notificações por entregar são reenviadas a intervalos crescentes, e todas elas assim que o servidor aceitar uma.',
  ],
  next: [(time: string) => `Next attempt: ${time}.`, (time) => `Próxima tentativa: ${time}.`],
  on: ['Automatic recovery is on.', 'A recuperação automática está ligada.'],
  stopped: ['Automatic recovery is off.', 'A recuperação automática está desligada.'],
});

const AGO_MS = 10_000;
const COLOURS: Partial<Record<Webhook['health']['state'], string>> = {
  healthy: 'var(--good)',
  unstable: 'var(--warn)',
  failing: 'var(--bad)',
};

/** The health of the endpoint in one sentence, and the switch of automatic recovery. */
export function Health({ webhook }: { readonly webhook: Webhook }) {
  const { nextTryAt } = webhook.health;
  return (
    <Card title={TEXTS.title}>
      <Text fw={600} c={COLOURS[webhook.health.state] ?? 'inherit'} textWrap="pretty" role="status">
        <Sentence health={webhook.health} />
        {nextTryAt !== null && <> {TEXTS.next(format.time(nextTryAt))}</>}
      </Text>
      <AutoRecover on={webhook.autoRecover} />
    </Card>
  );
}

function Sentence({ health: { state, lastDeliveredAt } }: { readonly health: Webhook['health'] }) {
  const now = useNow(AGO_MS);
  if (state === 'none' || state === 'off' || state === 'unused') return TEXTS[state];
  return lastDeliveredAt === null ? TEXTS.never : TEXTS[state](format.ago(lastDeliveredAt, now));
}

function AutoRecover({ on }: { readonly on: boolean }) {
  const { merchantId } = useMerchant();
  const set = useChange(trpc.webhook.setAutoRecover, {
    done: ({ autoRecover }) => (autoRecover ? TEXTS.on : TEXTS.stopped),
    notifies: true,
  });
  return (
    <Switch
      mt="lg"
      size="md"
      label={TEXTS.toggle}
      description={TEXTS.hint}
      checked={set.isPending ? set.variables.autoRecover : on}
      disabled={!useMayChange()}
      onChange={(event) => set.mutate({ merchantId, autoRecover: event.currentTarget.checked })}
    />
  );
}
