import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { format } from '../lib/format.ts';
import { texts } from '../lib/i18n.ts';
import { trpc } from '../lib/trpc.ts';
import { FailedOnly } from '../ui/loaded.tsx';
import { SmallButton } from '../ui/small-button.tsx';
import { useChange } from '../ui/use-change.ts';
import css from './shell.module.css';

const FRESH_EVERY_MS = 60_000;

const TEXTS = texts({
  title: ['A bank account or route was changed', 'Foi alterada uma conta bancária ou uma rota'],
  unknown: [
    'Could not check whether a bank account or route was changed',
    'Não foi possível verificar se foi alterada uma conta bancária ou uma rota',
  ],
  routes: [(merchant: string) => `${merchant}, routes`, (merchant) => `${merchant}, rotas`],
  account: ['default account', 'conta predefinida'],
  by: [(person: string) => `by ${person}`, (person) => `por ${person}`],
  actors: {
    'command line': ['on the command line', 'pela linha de comandos'],
    service: ['by the service', 'pelo serviço'],
  },
  text: [
    'New payments are received there from now on. If you do not expect this change, check it with your colleagues now.',
    'Os novos pagamentos passam a ser recebidos aí. Se não esperava esta alteração, confirme-a já com os seus colegas.',
  ],
  dismiss: ['Dismiss', 'Dispensar'],
});

/** The changes of bank accounts that this operator has not dismissed; renders nothing without any. */
export function BankNotices() {
  const actors: Record<string, string> = TEXTS.actors;
  const query = useQuery(
    trpc.system.bankNotices.queryOptions(undefined, { refetchInterval: FRESH_EVERY_MS }),
  );
  const dismiss = useChange(trpc.system.dismissBankNotices, { notifies: true });
  const onSuccess = () => document.querySelector('main')?.focus({ preventScroll: true });
  const [newest] = query.data ?? [];
  if (query.data === undefined) return <FailedOnly query={query} title={TEXTS.unknown} />;
  if (newest === undefined) return null;
  return (
    <section className={css.deactivated} aria-label={TEXTS.title}>
      <strong>{TEXTS.title}</strong>
      <Box component="ul" pl={20} style={{ overflowWrap: 'anywhere', listStyle: 'disc' }}>
        {query.data.map(({ id, at, actor, merchantName, action }) => (
          <li key={id}>
            {action === 'bank.routed' ? TEXTS.routes(merchantName ?? '–') : (merchantName ?? TEXTS.account)}:{' '}
            {actors[actor] ?? TEXTS.by(actor)}, {format.time(at)}
          </li>
        ))}
      </Box>
      <span>{TEXTS.text}</span>
      <SmallButton
        style={{ justifySelf: 'start' }}
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate({ through: newest.id }, { onSuccess })}
      >
        {TEXTS.dismiss}
      </SmallButton>
    </section>
  );
}
