import { Button, Stack } from '@mantine/core';
import { trpc } from '../../lib/trpc.ts';
import { Confirm, useAsOpened } from '../../ui/confirm.tsx';
import { Section } from '../../ui/section.tsx';
import { Tone } from '../../ui/state-badge.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './merchants.module.css';
import { TEXTS } from './texts.ts';
import type { ShownMerchant } from './types.ts';

interface Props {
  readonly merchant: ShownMerchant;
}

/** The operator's settings of a merchant. */
export function Choices({ merchant }: Props) {
  return (
    <>
      <Section title={TEXTS.access}>
        <Choice merchant={merchant} choice="active" />
      </Section>
      <Section title={TEXTS.pages.review}>
        <Choice merchant={merchant} choice="hold" />
      </Section>
      <Section title={TEXTS.pages.refunds}>
        <Stack>
          <Choice merchant={merchant} choice="refunds" />
          <Choice merchant={merchant} choice="refundEvents" />
        </Stack>
      </Section>
    </>
  );
}

const TONES = {
  active: { on: 'good', off: 'bad' },
  hold: { on: 'warn', off: 'good' },
  refunds: { on: 'good', off: 'quiet' },
  refundEvents: { on: 'good', off: 'quiet' },
} as const;

interface Side {
  readonly button: string;
  readonly question: (name: string) => string;
  readonly text: string;
  /** The consequence that the dialog states instead of `text`. */
  readonly dialog?: string;
  readonly done: string;
}

interface ChoiceProps extends Props {
  readonly choice: keyof typeof TONES;
}

/** What is set now, and the button that sets the opposite. */
function Choice({ merchant, choice }: ChoiceProps) {
  const words = TEXTS.choices[choice];
  const { merchantId, name } = merchant;
  const on = merchant[choice];
  const state = on ? 'on' : 'off';
  const [askedOn, onOpen] = useAsOpened(on);
  const asked: Side = askedOn ? words.off : words.on;
  // The merchant's own pages say whether it is deactivated.
  const set = useChange(trpc.merchants.set, { done: asked.done, also: ['session'] });
  const ofAccess = choice === 'active';
  return (
    <div className={css.choice}>
      <div>
        <Tone tone={TONES[choice][state]}>{words[state].state}</Tone>
        <p>{words[state].text}</p>
      </div>
      <Confirm
        title={asked.question(name)}
        confirmLabel={asked.button}
        danger={ofAccess && askedOn}
        onConfirm={() => set.mutateAsync({ merchantId, [choice]: !askedOn })}
        onOpen={onOpen}
        trigger={
          <Button variant={ofAccess && !on ? 'filled' : 'default'}>
            {on ? words.off.button : words.on.button}
          </Button>
        }
      >
        {asked.dialog ?? asked.text}
      </Confirm>
    </div>
  );
}
