import { Box, Flex, Text } from '@mantine/core';
import { texts } from '../lib/i18n.ts';

const TEXTS = texts({
  effects: ['What will happen', 'O que vai acontecer'],
});

interface Props {
  readonly lines: readonly string[];
  /** Without the heading, where there are no fields above. */
  readonly bare?: boolean;
}

/** The effects of an action, shown before it is confirmed. */
export function Effects({ lines, bare = false }: Props) {
  return (
    <Box px={16} py={12} bg="var(--ground)" bd="1px solid var(--line)" bdrs={12}>
      {!bare && (
        <Text component="h3" mb={4} c="dimmed" fz="0.85rem" fw={640}>
          {TEXTS.effects}
        </Text>
      )}
      <Flex component="ul" direction="column" gap={3} pl={18} style={{ listStyle: 'disc' }}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </Flex>
    </Box>
  );
}
