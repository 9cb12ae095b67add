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

/** A sentence that explains what is above it, or why there is nothing. */
export function Hint({ children }: Props) {
  return (
    <Text c="dimmed" fz="0.92rem" textWrap="pretty">
      {children}
    </Text>
  );
}
