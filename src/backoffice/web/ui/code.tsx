import type { ReactNode } from 'react';
import css from './code.module.css';

type Kind = 'comment' | 'string' | 'word';

const WORDS =
  'import from export function return const if for foreach while new true false null def and not in lambda any bool string int str bytes boolean async await as';
const PATTERNS: readonly (readonly [Kind, string])[] = [
  ['comment', String.raw`\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|(?<=^|\s)(?:\/\/|#)[^\n]*`],
  ['string', String.raw`f?"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\x60[^\x60]*\x60`],
  ['word', String.raw`(?<![$\w-])(?:${WORDS.replaceAll(' ', '|')})(?![\w-])`],
];
const PIECE = new RegExp(PATTERNS.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|'), 'gm');

/** Source code with its comments, strings and words in colour. */
export function Code({ text }: { readonly text: string }) {
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(PIECE)) {
    const [kind] = PATTERNS.find(([name]) => match.groups?.[name] !== undefined) ?? [];
    pieces.push(
      text.slice(at, match.index),
      <span key={match.index} className={kind && css[kind]}>
        {match[0]}
      </span>,
    );
    at = match.index + match[0].length;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can only scroll what it can reach
    <pre className={css.code} tabIndex={0}>
      <code>
        {pieces}
        {text.slice(at)}
      </code>
    </pre>
  );
}
