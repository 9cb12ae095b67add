import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { Tone } from '../../ui/state-badge.tsx';
import { TEXTS } from './texts.ts';
import type { Level } from './types.ts';

export const TONES = { good: 'good', attention: 'warn', bad: 'bad' } as const;

interface Props {
  readonly title: string;
  readonly level: Level;
  /** The status and the advice. */
  readonly sentence: string;
  readonly children?: ReactNode;
}

/** A health check: status, explanation and figures. */
export function Check({ title, level, sentence, children }: Props) {
  return (
    <Card title={title} actions={<LevelBadge level={level} />}>
      <Text mb={16} c={level === 'good' ? 'dimmed' : 'var(--ink)'} textWrap="pretty">
        {sentence}
      </Text>
      {children}
    </Card>
  );
}

export function LevelBadge({ level }: { readonly level: Level }) {
  return <Tone tone={TONES[level]}>{TEXTS.levels[level]}</Tone>;
}
