import { Box, Flex, Group, Text } from '@mantine/core';
import type { Delivery } from '../../webhook/deliveries.ts';
import { format } from '../lib/format.ts';
import css from './delivery.module.css';
import { attemptError, DELIVERY_TEXTS } from './delivery-texts.ts';
import { Hint } from './soft.tsx';
import { Time } from './time.tsx';

type Attempt = Delivery['attempts'][number];

/** The attempts of a delivery with the endpoint's responses; identical responses are collapsed. */
export function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { attempts } = delivery;
  if (attempts.length === 0) {
    const skipped = delivery.origin === 'recovery' ? DELIVERY_TEXTS.recoverySkipped : DELIVERY_TEXTS.skipped;
    const none = delivery.state === 'skipped' ? skipped : DELIVERY_TEXTS.none;
    const forgotten = delivery.attemptsCount > 0;
    return <Hint mt={8}>{forgotten ? DELIVERY_TEXTS.forgotten(delivery.attemptsKeptDays) : none}</Hint>;
  }
  return (
    <Flex component="ol" direction="column" gap={14} miw={0}>
      {attempts.map((attempt, index) => (
        <AttemptItem
          key={attempt.number}
          attempt={attempt}
          first={attempts[0] ?? attempt}
          before={attempts[index - 1]}
          running={delivery.state === 'due' && attempt.number === delivery.attemptsCount}
        />
      ))}
    </Flex>
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
  const tone = toneOf(attempt);
  const again = before !== undefined && before.error === attempt.error && before.answer === attempt.answer;
  const ended = attempt.durationMs !== null || attempt.error !== null;
  return (
    <li className={`${css.attempt} ${tone}`}>
      <Group align="baseline" gap="2px 12px" c="var(--ink)">
        <Text component="strong" inherit fw={600}>
          {DELIVERY_TEXTS.attempt(attempt.number)}
        </Text>
        <span className={css.status}>
          {attempt.status ??
            (attempt.durationMs !== null
              ? DELIVERY_TEXTS.noAnswer
              : running && !ended
                ? DELIVERY_TEXTS.running
                : DELIVERY_TEXTS.cut)}
        </span>
        {attempt.durationMs !== null && (
          <span className={css.quiet}>{format.duration(attempt.durationMs)}</span>
        )}
        <Text span ml="auto" c="dimmed" fz="0.85rem">
          {attempt === first ? (
            <Time at={attempt.startedAt} />
          ) : (
            DELIVERY_TEXTS.after(format.duration(attempt.startedAt - first.startedAt))
          )}
        </Text>
      </Group>
      {again && ended ? <Hint mt={2}>{DELIVERY_TEXTS.again}</Hint> : <Outcome attempt={attempt} />}
    </li>
  );
}

function Outcome({ attempt }: { readonly attempt: Attempt }) {
  const { answer, error, errorDetail } = attempt;
  return (
    <>
      {error !== null && (
        <Text mt={4} c="var(--bad)" fz="0.92rem">
          {attemptError(error)}
        </Text>
      )}
      {errorDetail !== null && <Hint mt={2}>{`${DELIVERY_TEXTS.detail}: ${errorDetail}`}</Hint>}
      {answer === '' && <Hint mt={2}>{DELIVERY_TEXTS.emptyAnswer}</Hint>}
      {answer !== null && answer !== '' && (
        <Box component="figure" className={css.answer} mt={8}>
          <Text component="figcaption" mb={4} c="dimmed" fz="0.8rem">
            {DELIVERY_TEXTS.answer}
          </Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can only scroll what it can reach */}
          <pre tabIndex={0}>{answer}</pre>
        </Box>
      )}
    </>
  );
}

function toneOf({ durationMs, error }: Attempt): string {
  if (error !== null) return css.bad ?? '';
  return (durationMs === null ? css.wait : css.good) ?? '';
}
