import { useTexts } from '../../lib/i18n.ts';
import { Tone } from '../../ui/state-badge.tsx';
import { TEXTS } from './texts.ts';
import type { Merchant } from './types.ts';

const TONES = { none: 'quiet', off: 'quiet', on: 'good', failing: 'bad' } as const;

/** The delivery status of the merchant's webhook. */
export function WebhookBadge({ state }: { readonly state: Merchant['webhook'] }) {
  const words = useTexts(TEXTS);
  return <Tone tone={TONES[state]}>{words.webhookStates[state]}</Tone>;
}
