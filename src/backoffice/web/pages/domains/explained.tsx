import { IconCheck, IconX } from '@tabler/icons-react';
import { REASON_TEXTS } from '../../lib/fault-texts.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { DomainName, domainText } from '../../ui/domain-name.tsx';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';
import type { Explanation } from './types.ts';

interface Props {
  readonly explanation: Explanation;
  /** Empty shows an example. */
  readonly typed: string;
}

/** Explains what a domain would accept, or why it is invalid. */
export function Explained({ explanation, typed }: Props) {
  const words = useTexts(TEXTS).add;
  const { language } = useLanguage();
  if (!explanation.ok) {
    return <p className={css.fault}>{REASON_TEXTS[language][`domain_${explanation.fault}`]?.({})}</p>;
  }
  const { pattern, examples, names } = explanation;
  return (
    <>
      {typed !== '' && pattern !== typed && (
        <p className={css.hint}>{words.saved(domainText(pattern, names))}</p>
      )}
      <h3 className={css.examplesTitle}>{words.examples}</h3>
      <ul className={css.examples}>
        {examples.map(({ host, admitted }) => (
          <li key={host} className={admitted ? css.yes : css.no}>
            {admitted ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
            <span className={css.host}>
              <DomainName domain={host} names={names} />
            </span>
            <span className={css.verdict}>{admitted ? words.admits : words.refuses}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
