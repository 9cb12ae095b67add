import { Tone, type ToneName } from '../../ui/state-badge.tsx';
import { PANEL_TEXTS } from './panel-texts.ts';
import type { RefundState } from './types.ts';

const TONES: Readonly<Record<RefundState, ToneName>> = {
  requested: 'wait',
  sent: 'wait',
  accepted: 'wait',
  unknown: 'warn',
  awaiting_transfer: 'warn',
  done: 'good',
  failed: 'bad',
};

export function RefundBadge({ state }: { readonly state: RefundState }) {
  return <Tone tone={TONES[state]}>{PANEL_TEXTS.states[state]}</Tone>;
}
