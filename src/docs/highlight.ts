const WORDS =
  'import|from|export|function|return|const|let|if|else|for|foreach|while|new|true|false|null|def|and|not|in|is|with|as|try|except|catch|raise|throw|async|await|class|None|True|False|int|string|bool|void|curl|echo';
const SLASHES = String.raw`(?<=^|\s)\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
const COMMENT: Readonly<Record<string, string>> = {
  sh: String.raw`(?<=^|\s)#[^\n]*`,
  py: String.raw`(?<=^|\s)#[^\n]*|"""[\s\S]*?"""`,
  ts: SLASHES,
  js: SLASHES,
  php: SLASHES,
  json: '(?!)',
};
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60[^\x60]*\x60`;

/** Returns the HTML of a code sample with its comments, strings and keywords marked. Approximate, for our own samples. */
export function highlight(code: string, language: string, escapeHtml: (text: string) => string): string {
  const comment = COMMENT[language];
  if (comment === undefined) return escapeHtml(code);
  const pattern = `(?<c>${comment})|(?<s>${STRING})|${String.raw`(?<w>(?<![$\w.-])(?:${WORDS})(?![\w-]))`}`;
  let marked = '';
  let at = 0;
  for (const match of code.matchAll(new RegExp(pattern, 'gm'))) {
    const [kind = 'w'] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    marked += `${escapeHtml(code.slice(at, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return marked + escapeHtml(code.slice(at));
}
