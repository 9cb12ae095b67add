import { useFormat } from '../../lib/format.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { Time } from '../../ui/time.tsx';
import { errorIn } from '../transaction/webhook-texts.ts';
import { TEXTS } from './texts.ts';
import type { Attempt, Delivery } from './types.ts';
import css from './webhook.module.css';

/** The attempts of a delivery with the endpoint's responses; identical responses are collapsed. */
export function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const words = useTexts(TEXTS);
  const { attempts } = delivery;
  if (attempts.length === 0) {
    const { skipped, none, forgotten } = words.attempt;
    if (delivery.attemptsCount > 0) {
      return <p className={css.hint}>{forgotten(delivery.attemptsKeptDays)}</p>;
    }
    return <p className={css.hint}>{delivery.state === 'skipped' ? skipped : none}</p>;
  }
  return (
    <ol className={css.attempts}>
      {attempts.map((attempt, index) => (
        <AttemptItem
          key={attempt.number}
          attempt={attempt}
          first={attempts[0] ?? attempt}
          before={attempts[index - 1]}
          running={delivery.state === 'due' && attempt.number === delivery.attemptsCount}
        />
      ))}
    </ol>
  );
}

interface ItemProps {
  readonly attempt: Attempt;
  readonly first: Attempt;
  readonly before: Attempt | undefined;
  /** Null while it is running. */
  readonly running: boolean;
}

function AttemptItem({ attempt, first, before, running }: ItemProps) {
  const words = useTexts(TEXTS).attempt;
  const format = useFormat();
  const tone = toneOf(attempt);
  const again = before !== undefined && before.error === attempt.error && before.answer === attempt.answer;
  const ended = attempt.durationMs !== null || attempt.error !== null;
  return (
    <li className={`${css.attempt} ${tone}`}>
      <div className={css.attemptHead}>
        <strong>{words.name(attempt.number)}</strong>
        <span className={css.status}>
          {attempt.status ??
            (attempt.durationMs !== null ? words.noAnswer : running && !ended ? words.running : words.cut)}
        </span>
        {attempt.durationMs !== null && (
          <span className={css.quiet}>{format.duration(attempt.durationMs)}</span>
        )}
        <span className={css.when}>
          {attempt === first ? (
            <Time at={attempt.startedAt} />
          ) : (
            words.after(format.duration(attempt.startedAt - first.startedAt))
          )}
        </span>
      </div>
      {again && ended ? <p className={css.again}>{words.again}</p> : <Outcome attempt={attempt} />}
    </li>
  );
}

function Outcome({ attempt }: { readonly attempt: Attempt }) {
  const words = useTexts(TEXTS).attempt;
  const { language } = useLanguage();
  const { answer, error } = attempt;
  return (
    <>
      {error !== null && <p className={css.error}>{errorIn(language, error)}</p>}
      {answer === '' && <p className={css.again}>{words.emptyAnswer}</p>}
      {answer !== null && answer !== '' && (
        <figure className={css.answer}>
          <figcaption>{words.answer}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can only scroll what it can reach */}
          <pre tabIndex={0}>{answer}</pre>
        </figure>
      )}
    </>
  );
}

function toneOf({ durationMs, error }: Attempt): string {
  if (error !== null) return css.bad ?? '';
  return (durationMs === null ? css.wait : css.good) ?? '';
}
