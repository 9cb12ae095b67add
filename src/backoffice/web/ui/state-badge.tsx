import type { ReactNode } from 'react';
import { PAYMENT_WORDS } from '../../../kernel/payment-words.ts';
import { currentLanguage, texts } from '../lib/i18n.ts';
import css from './state-badge.module.css';
import tones from './tones.module.css';

const TEXTS = texts({
  initiated: ['Starting', 'A iniciar'],
  open: ['Waiting for the customer', 'À espera do cliente'],
  unknown: ['Being checked', 'Em verificação'],
  rejected: ['Rejected by the customer', 'Recusado pelo cliente'],
  declined: ['Declined by the bank', 'Recusado pelo banco'],
  lapsed: ['Expired without answer', 'Expirado sem resposta'],
  expired: ['Expired', 'Expirado'],
  dead: ['Failed', 'Falhou'],
  due: ['Sending', 'A enviar'],
  delivered: ['Delivered', 'Entregue'],
  undelivered: ['Undelivered', 'Não entregue'],
  skipped: ['Not sent', 'Não enviada'],
  unmatched: ['Unmatched', 'Sem correspondência'],
  active: ['Active', 'Ativo'],
  inactive: ['Inactive', 'Inativo'],
  hold: ['On hold', 'Em revisão'],
  held: ['On hold', 'Retido'],
  owner: ['Owner', 'Proprietário'],
  viewer: ['Viewer', 'Consulta'],
  operator: ['Operator', 'Operador'],
  assigned: ['Assigned', 'Atribuído'],
  credited: ['Credited', 'Creditado'],
  returned: ['Returned', 'Devolvido'],
  refunded: ['Refund', 'Reembolso'],
  succeeded: ['Succeeded', 'Concluído'],
  on: ['On', 'Ligado'],
  off: ['Off', 'Desligado'],
  factorOn: ['On', 'Ativa'],
  factorOff: ['Off', 'Inativa'],
});

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

export function StateBadge({ state, large = false }: Props) {
  return (
    <Tone tone={toneOf(state)} large={large}>
      {stateWord(state)}
    </Tone>
  );
}

/** Returns the translated name of a status. */
export function stateWord(state: string): string {
  const own: Readonly<Record<string, unknown>> = TEXTS;
  const ofPayments: Readonly<Record<string, string>> = PAYMENT_WORDS[currentLanguage()];
  return ofPayments[state] ?? String(own[state] ?? state);
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
