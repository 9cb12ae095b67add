import { Text } from '@mantine/core';
import { useFormat } from '../lib/format.ts';

/** The main amount of a row. */
export function Money({ cents }: { readonly cents: number }) {
  const format = useFormat();
  return (
    <Text span inherit fw={640} textWrap="nowrap">
      {format.euro(cents)}
    </Text>
  );
}
