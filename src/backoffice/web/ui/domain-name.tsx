import { Text } from '@mantine/core';

/** The Unicode forms of domains by their ASCII form, as the server sends them. */
export type DomainNames = Readonly<Record<string, string>>;

interface Props {
  readonly domain: string;
  readonly names: DomainNames;
}

/** A domain in Unicode, with its ASCII form in small print, because different letters can look the same. */
export function DomainName({ domain, names }: Props) {
  const unicode = names[domain];
  return unicode === undefined ? (
    domain
  ) : (
    <>
      {unicode}{' '}
      <Text span c="dimmed" fz="0.8em" fw={400} style={{ overflowWrap: 'anywhere' }}>
        {domain}
      </Text>
    </>
  );
}

/** The same for a sentence. */
export function domainText(domain: string, names: DomainNames): string {
  const unicode = names[domain];
  return unicode === undefined ? domain : `${unicode} (${domain})`;
}
