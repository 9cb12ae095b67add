import { escapeHtml, type Html, raw } from './html.ts';

export const CODE_LANGUAGES = ['sh', 'ts', 'js', 'php', 'py', 'json', 'html', 'text'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

const WORDS =
  'import|from|export|function|return|const|let|if|else|for|foreach|while|new|true|false|null|def|and|not|in|is|with|as|try|except|catch|raise|throw|async|await|class|None|True|False|int|string|bool|void|curl|echo';
const COMMENT: Partial<Record<CodeLanguage, string>> = {
  sh: String.raw`(?<=^|\s)#[^\n]*`,
  py: String.raw`(?<=^|\s)#[^\n]*|"""[\s\S]*?"""`,
  ts: String.raw`(?<=^|\s)\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
  js: String.raw`(?<=^|\s)\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
  php: String.raw`(?<=^|\s)\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
};
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60[^\x60]*\x60`;

/** Our own samples in colours: comments, strings and the words of the language. Rough, and enough for them. */
export function highlight(code: string, language: CodeLanguage): Html {
  if (language === 'text' || language === 'html') return raw(escapeHtml(code));
  const parts = [
    COMMENT[language] && `(?<c>${COMMENT[language]})`,
    `(?<s>${STRING})`,
    String.raw`(?<w>(?<![$\w.-])(?:${WORDS})(?![\w-]))`,
  ].filter(Boolean);
  let marked = '';
  let at = 0;
  for (const match of code.matchAll(new RegExp(parts.join('|'), 'gm'))) {
    const [kind = 'w'] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    marked += `${escapeHtml(code.slice(at, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return raw(marked + escapeHtml(code.slice(at)));
}
