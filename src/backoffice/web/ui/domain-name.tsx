import css from './domain-name.module.css';

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
      {unicode} <span className={css.ascii}>{domain}</span>
    </>
  );
}

/** The same for a sentence. */
export function domainText(domain: string, names: DomainNames): string {
  const unicode = names[domain];
  return unicode === undefined ? domain : `${unicode} (${domain})`;
}
