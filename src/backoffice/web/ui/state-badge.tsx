import type { ReactNode } from 'react';
import { PAYMENT_WORDS } from '../../../kernel/payment-words.ts';
import { texts, useTexts } from '../lib/i18n.ts';
import css from './state-badge.module.css';
import tones from './tones.module.css';

const TEXTS = texts({
  en: {
    ...PAYMENT_WORDS.en,
    initiated: 'Starting',
    open: 'Waiting for the customer',
    unknown: 'Being checked',
    rejected: 'Rejected by the customer',
    declined: 'Declined by the bank',
    lapsed: 'Expired without answer',
    expired: 'Expired',
    dead: 'Failed',
    due: 'Sending',
    delivered: 'Delivered',
    undelivered: 'Undelivered',
    skipped: 'Not sent',
    unmatched: 'Unmatched',
    active: 'Active',
    inactive: 'Inactive',
    hold: 'On hold',
    held: 'On hold',
    owner: 'Owner',
    viewer: 'Viewer',
    operator: 'Operator',
    assigned: 'Assigned',
    credited: 'Credited',
    returned: 'Returned',
    refunded: 'Refund',
    succeeded: 'Succeeded',
    on: 'On',
    off: 'Off',
    factorOn: 'On',
    factorOff: 'Off',
  },
  pt: {
    ...PAYMENT_WORDS.pt,
    initiated: 'A iniciar',
    open: 'À espera do cliente',
    unknown: 'Em verificação',
    rejected: 'Recusado pelo cliente',
    declined: 'Recusado pelo banco',
    lapsed: 'Expirado sem resposta',
    expired: 'Expirado',
    dead: 'Falhou',
    due: 'A enviar',
    delivered: 'Entregue',
    undelivered: 'Não entregue',
    skipped: 'Não enviada',
    unmatched: 'Sem correspondência',
    active: 'Ativo',
    inactive: 'Inativo',
    hold: 'Em revisão',
    held: 'Retido',
    owner: 'Proprietário',
    viewer: 'Consulta',
    operator: 'Operador',
    assigned: 'Atribuído',
    credited: 'Creditado',
    returned: 'Devolvido',
    refunded: 'Reembolso',
    succeeded: 'Concluído',
    on: 'Ligado',
    off: 'Desligado',
    factorOn: 'Ativa',
    factorOff: 'Inativa',
  },
});

type State = keyof typeof TEXTS.en;

const GOOD = new Set(['paid', 'delivered', 'active', 'on', 'factorOn', 'credited', 'assigned', 'succeeded']);
const WAIT = new Set(['pending', 'initiated', 'open', 'unknown', 'due']);
const WARN = new Set([
  'late',
  'duplicate',
  'under',
  'over',
  'unmatched',
  'hold',
  'held',
  'returned',
  'refunded',
]);
const BAD = new Set(['failed', 'undelivered', 'rejected', 'declined', 'dead']);

interface Props {
  /** The status of a transaction, an attempt, a delivery or a person, or a flag of a receipt. */
  readonly state: string;
  readonly large?: boolean;
}

/** A coloured status badge. */
export function StateBadge({ state, large = false }: Props) {
  const words = useTexts(TEXTS);
  return (
    <Tone tone={toneOf(state)} large={large}>
      {words[state as State] ?? state}
    </Tone>
  );
}

/** Returns the translated name of a status. */
export function useStateWord(): (state: string) => string {
  const words = useTexts(TEXTS);
  return (state) => words[state as State] ?? state;
}

function toneOf(state: string): ToneName {
  if (GOOD.has(state)) return 'good';
  if (WAIT.has(state)) return 'wait';
  if (WARN.has(state)) return 'warn';
  return BAD.has(state) ? 'bad' : 'quiet';
}

export type ToneName = 'good' | 'wait' | 'warn' | 'bad' | 'quiet';

interface ToneProps {
  readonly tone: ToneName;
  readonly large?: boolean;
  readonly children: ReactNode;
}

/** A coloured badge for a page-specific status. */
export function Tone({ tone, large = false, children }: ToneProps) {
  const classes = [css.badge, tones[tone], tone === 'wait' && css.wait, large && css.large];
  return <span className={classes.filter(Boolean).join(' ')}>{children}</span>;
}
