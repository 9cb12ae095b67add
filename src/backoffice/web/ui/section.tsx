import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title?: string;
  /** Announces changes to screen readers. */
  readonly live?: boolean;
  readonly children: ReactNode;
}

/** A section of a drawer. */
export function Section({ title, live = false, children }: Props) {
  return (
    <Box
      component="section"
      mt={20}
      pt={18}
      className="line-above"
      {...(live && { 'aria-live': 'polite' as const })}
    >
      {title !== undefined && (
        <Text component="h3" mb={10} fz="0.95rem" fw={640}>
          {title}
        </Text>
      )}
      {children}
    </Box>
  );
}
