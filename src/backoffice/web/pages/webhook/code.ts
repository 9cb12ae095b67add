/** A token of source code and its kind. */
export interface Piece {
  readonly text: string;
  readonly kind: 'comment' | 'string' | 'word' | 'plain';
}

const WORDS =
  'import from export function return const if for foreach while new true false null def and not in lambda any bool string int str bytes boolean async await as';
const PATTERNS: readonly (readonly [Piece['kind'], string])[] = [
  ['comment', String.raw`\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|(?<=^|\s)(?:\/\/|#)[^\n]*`],
  ['string', String.raw`f?"[^"\n]*"|'[^'\n]*'|\x60[^\x60]*\x60`],
  ['word', String.raw`(?<![$\w-])(?:${WORDS.replaceAll(' ', '|')})(?![\w-])`],
];
const PIECE = new RegExp(PATTERNS.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|'), 'gm');

/** Tokenises the code samples for syntax highlighting. */
export function piecesOf(code: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of code.matchAll(PIECE)) {
    if (match.index > at) pieces.push({ text: code.slice(at, match.index), kind: 'plain' });
    const kind = PATTERNS.find(([name]) => match.groups?.[name] !== undefined)?.[0] ?? 'plain';
    pieces.push({ text: match[0], kind });
    at = match.index + match[0].length;
  }
  if (at < code.length) pieces.push({ text: code.slice(at), kind: 'plain' });
  return pieces;
}
