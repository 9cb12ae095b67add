import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/** Secondary text in a row or below a value. */
export function Soft({ children }: Props) {
  return (
    <Text span c="dimmed" fz="0.88rem">
      {children}
    </Text>
  );
}

interface HintProps extends Props {
  /** The space above it in pixels. */
  readonly mt?: number;
}

/** A sentence that explains what is above it, or why there is nothing. */
export function Hint({ mt = 0, children }: HintProps) {
  return (
    <Text mt={mt} c="dimmed" fz="0.92rem" textWrap="pretty">
      {children}
    </Text>
  );
}
