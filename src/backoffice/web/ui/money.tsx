import { Text } from '@mantine/core';
import { format } from '../lib/format.ts';

/** The main amount of a row. */
export function Money({ cents }: { readonly cents: number }) {
  return (
    <Text span inherit fw={640} textWrap="nowrap">
      {format.euro(cents)}
    </Text>
  );
}
