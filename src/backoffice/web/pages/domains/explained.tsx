import { IconCheck, IconX } from '@tabler/icons-react';
import { REASON_TEXTS } from '../../lib/fault-texts.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { DomainName, type DomainNames, domainText } from '../../ui/domain-name.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';
import type { Example, Explanation } from './types.ts';

interface Props {
  readonly explanation: Explanation;
  /** Empty shows an example. */
  readonly typed: string;
  readonly onUse: (text: string) => void;
}

/** Explains what a domain would accept, or why it is invalid. */
export function Explained({ explanation, typed, onUse }: Props) {
  const words = useTexts(TEXTS).add;
  const { language } = useLanguage();
  if (!explanation.ok) {
    const said = REASON_TEXTS[language][`domain_${explanation.fault}`]?.({}) ?? '';
    return (
      <>
        <p className={css.fault}>{said}</p>
        {explanation.suggestion !== null && (
          <Suggestion
            domain={explanation.suggestion}
            names={explanation.names}
            sentence={words.meant}
            onUse={onUse}
          />
        )}
      </>
    );
  }
  const { pattern, coveredBy, covers, better, names } = explanation;
  const text = (domain: string) => domainText(domain, names);
  const real = typed !== '';
  return (
    <>
      {real && pattern !== typed && <p className={css.hint}>{words.saved(text(pattern))}</p>}
      <h3 className={css.examplesTitle}>{words.examples}</h3>
      <Examples examples={explanation.examples} names={names} />
      {real && coveredBy !== null && (
        <p className={css.hint}>{coveredBy === pattern ? words.same : words.covered(text(coveredBy))}</p>
      )}
      {real && covers.length > 0 && <p className={css.hint}>{words.covers(covers.map(text).join(', '))}</p>}
      {real && better !== null && (
        <Suggestion domain={better} names={names} sentence={words.better} onUse={onUse} />
      )}
    </>
  );
}

interface SuggestionProps {
  readonly domain: string;
  readonly names: DomainNames;
  readonly sentence: (name: string) => string;
  readonly onUse: (text: string) => void;
}

function Suggestion({ domain, names, sentence, onUse }: SuggestionProps) {
  const words = useTexts(TEXTS).add;
  const name = names[domain] ?? domain;
  return (
    <p className={css.suggestion}>
      {sentence(domainText(domain, names))}
      <SmallButton onClick={() => onUse(name)}>{words.useInstead(name)}</SmallButton>
    </p>
  );
}

function Examples({
  examples,
  names,
}: {
  readonly examples: readonly Example[];
  readonly names: DomainNames;
}) {
  const words = useTexts(TEXTS).add;
  return (
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
  );
}
