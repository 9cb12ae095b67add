import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';
import { Facts } from '../../ui/facts.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import css from './methods.module.css';
import { TEXTS } from './texts.ts';

type Method = RouterOutputs['methods']['list'][number];

/** A payment method with its limits. */
export function MethodCard({ method }: { readonly method: Method }) {
  const words = useTexts(TEXTS);
  return (
    <li className={method.active ? css.method : `${css.method} ${css.off}`}>
      <div className={css.head}>
        <h2 className={css.name}>{method.id === 'CARD' ? words.CARD.name : words.methods[method.id]}</h2>
        {method.active ? (
          <StateBadge state="active" />
        ) : (
          <span className={css.soon}>{words.unavailable}</span>
        )}
      </div>
      <p className={css.how}>{words[method.id].how}</p>
      <Limits method={method} />
    </li>
  );
}

function Limits({ method }: { readonly method: Method }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { id, minCents, maxCents, windowMs, days } = method;
  if (id === 'CARD' || minCents === null || maxCents === null) return null;
  const time =
    windowMs !== null
      ? words.MBWAY.time(format.duration(windowMs))
      : days !== null
        ? words.REFERENCE.time(days)
        : null;
  return (
    <>
      <Facts
        items={[
          [words.amount, words.from(format.euro(minCents), format.euro(maxCents))],
          [words.time, time],
        ]}
      />
      <p className={css.after}>{words[id].after}</p>
    </>
  );
}
