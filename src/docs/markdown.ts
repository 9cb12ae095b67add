import MarkdownIt from 'markdown-it';
import { highlight } from './highlight.ts';

/** A section of a page, for its table of contents. The title is HTML. */
export interface Section {
  readonly id: string;
  readonly title: string;
}

const LABELS: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  php: 'PHP',
  py: 'Python',
  json: 'JSON',
};

const markdown = new MarkdownIt({ html: true });
const { escapeHtml } = markdown.utils;

// `## Title {#id}` sets the id of a heading.
markdown.core.ruler.before('inline', 'heading-ids', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    const match = token.type === 'heading_open' ? /^(.*?)\s*\{#([^}]+)\}$/.exec(inline?.content ?? '') : null;
    if (match === null || inline === undefined) continue;
    inline.content = match[1] ?? '';
    token.attrSet('id', match[2] ?? '');
  }
});

// The first word after a fence is the language, the rest is the label of the block.
markdown.renderer.rules.fence = (tokens, index) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  const [language = 'text', ...words] = info.trim().split(' ');
  const label = words.length > 0 ? words.join(' ') : LABELS[language];
  const caption = label === undefined ? '' : `<figcaption>${escapeHtml(label)}</figcaption>`;
  const data = label === undefined ? '' : ` data-label="${escapeHtml(label)}"`;
  return `<figure class="code"${data}>${caption}<pre tabindex="0"><code>${highlight(content.trimEnd(), language, escapeHtml)}</code></pre></figure>\n`;
};

// A table that is wider than the screen scrolls by itself.
markdown.renderer.rules.table_open = (_tokens, _index, _options, env) =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${env?.table}"><table>\n`;
markdown.renderer.rules.table_close = () => '</table></div>\n';

/** Returns the HTML of a Markdown text and its second-level headings. `table` is the accessible name of tables. */
export function renderMarkdown(text: string, table: string): { body: string; sections: Section[] } {
  const env = { table };
  const tokens = markdown.parse(text, env);
  const sections = tokens.flatMap((token, index) =>
    token.type === 'heading_open' && token.tag === 'h2'
      ? [
          {
            id: String(token.attrGet('id') ?? ''),
            title: markdown.renderer.renderInline(tokens[index + 1]?.children ?? [], markdown.options, env),
          },
        ]
      : [],
  );
  return { body: markdown.renderer.render(tokens, markdown.options, env), sections };
}
