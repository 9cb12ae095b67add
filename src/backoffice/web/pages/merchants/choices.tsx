import { Button, Stack } from '@mantine/core';
import { useTexts } from '../../lib/i18n.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
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
  const words = useTexts(TEXTS);
  return (
    <>
      <Section title={words.access}>
        <Access merchant={merchant} />
      </Section>
      <Section title={words.pages.review}>
        <Hold merchant={merchant} />
      </Section>
      <Section title={words.pages.refunds}>
        <Stack>
          <RefundChoice merchant={merchant} choice="refunds" />
          <RefundChoice merchant={merchant} choice="refundEvents" />
        </Stack>
      </Section>
    </>
  );
}

type Choice = 'active' | 'hold' | 'refunds' | 'refundEvents';

function useSet(merchantId: string) {
  // Its own pages say whether it is deactivated.
  const set = useChange((trpc) => trpc.merchants.set, { also: ['session'] });
  return async (change: Partial<Record<Choice, boolean>>, said: string) => {
    await set.mutateAsync({ merchantId, ...change });
    notifyDone(said);
  };
}

function Access({ merchant: { merchantId, name, active } }: Props) {
  const words = useTexts(TEXTS);
  const set = useSet(merchantId);
  return (
    <div className={css.choice}>
      <div>
        <Tone tone={active ? 'good' : 'bad'}>{active ? words.active : words.inactive}</Tone>
        <p>{active ? words.activeText : words.inactiveText}</p>
      </div>
      {active ? (
        <Confirm
          title={words.deactivateTitle(name)}
          confirmLabel={words.deactivate}
          danger
          onConfirm={() => set({ active: false }, words.deactivated)}
          trigger={<Button variant="default">{words.deactivate}</Button>}
        >
          {words.deactivateText}
        </Confirm>
      ) : (
        <Confirm
          title={words.activate}
          confirmLabel={words.activate}
          onConfirm={() => set({ active: true }, words.activated)}
          trigger={<Button>{words.activate}</Button>}
        >
          {words.activeText}
        </Confirm>
      )}
    </div>
  );
}

function Hold({ merchant: { merchantId, name, hold } }: Props) {
  const words = useTexts(TEXTS);
  const set = useSet(merchantId);
  return (
    <div className={css.choice}>
      <div>
        <Tone tone={hold ? 'warn' : 'good'}>{hold ? words.holdOn : words.holdOff}</Tone>
        <p>{hold ? words.holdOnText : words.holdOffText}</p>
      </div>
      <Confirm
        title={hold ? words.unholdTitle(name) : words.holdTitle(name)}
        confirmLabel={hold ? words.unhold : words.hold}
        onConfirm={() => set({ hold: !hold }, hold ? words.unheld : words.held)}
        trigger={<Button variant="default">{hold ? words.unhold : words.hold}</Button>}
      >
        {hold ? words.unholdText : words.holdText}
      </Confirm>
    </div>
  );
}

function RefundChoice({ merchant, choice }: Props & { readonly choice: 'refunds' | 'refundEvents' }) {
  const words = useTexts(TEXTS).refunds;
  const set = useSet(merchant.merchantId);
  const on = merchant[choice];
  const now = on ? words[choice].on : words[choice].off;
  const next = on ? words[choice].off : words[choice].on;
  return (
    <div className={css.choice}>
      <div>
        <Tone tone={on ? 'good' : 'quiet'}>{now.state}</Tone>
        <p>{now.text}</p>
      </div>
      <Confirm
        title={next.question(merchant.name)}
        confirmLabel={next.button}
        onConfirm={() => set({ [choice]: !on }, next.done)}
        trigger={<Button variant="default">{next.button}</Button>}
      >
        {next.text}
      </Confirm>
    </div>
  );
}
