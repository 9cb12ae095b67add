import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { REASON_TEXTS } from '../../lib/fault-texts.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
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
            name={explanation.suggestion}
            sentence={words.meant(explanation.suggestion)}
            onUse={onUse}
          />
        )}
      </>
    );
  }
  const { pattern, coveredBy, covers, better } = explanation;
  const real = typed !== '';
  return (
    <>
      {real && pattern !== typed && <p className={css.hint}>{words.saved(pattern)}</p>}
      <h3 className={css.examplesTitle}>{words.examples}</h3>
      <Examples examples={explanation.examples} />
      {real && coveredBy !== null && (
        <p className={css.hint}>{coveredBy === pattern ? words.same : words.covered(coveredBy)}</p>
      )}
      {real && covers.length > 0 && <p className={css.hint}>{words.covers(covers.join(', '))}</p>}
      {real && better !== null && <Suggestion name={better} sentence={words.better(better)} onUse={onUse} />}
    </>
  );
}

function Suggestion({
  name,
  sentence,
  onUse,
}: {
  readonly name: string;
  readonly sentence: string;
  readonly onUse: (text: string) => void;
}) {
  const words = useTexts(TEXTS).add;
  return (
    <p className={css.suggestion}>
      {sentence}
      <Button size="xs" variant="default" onClick={() => onUse(name)}>
        {words.useInstead(name)}
      </Button>
    </p>
  );
}

function Examples({ examples }: { readonly examples: readonly Example[] }) {
  const words = useTexts(TEXTS).add;
  return (
    <ul className={css.examples}>
      {examples.map(({ host, admitted }) => (
        <li key={host} className={admitted ? css.yes : css.no}>
          {admitted ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
          <span className={css.host}>{host}</span>
          <span className={css.verdict}>{admitted ? words.admits : words.refuses}</span>
        </li>
      ))}
    </ul>
  );
}
