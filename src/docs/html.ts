/** Text that is HTML already; everything else is escaped when it is put into some. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | null | readonly (Html | string)[];

/** HTML out of a template: what is put in is escaped, unless it is HTML; lists are joined, null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return raw(strings.reduce((text, string, i) => text + markupOf(parts[i - 1] ?? null) + string));
}

/** Takes text for HTML: for files and for what was escaped before. */
export function raw(markup: string): Html {
  return { markup };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtml(part);
  if ('markup' in part) return part.markup;
  return part.map(markupOf).join('\n');
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A sentence of the OpenAPI document, whose only marks are code between backticks and strong text between asterisks. */
export function sentence(text: string): Html {
  return raw(
    escapeHtml(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );
}

/** A description of the OpenAPI document: paragraphs, and lists of lines that start with a hyphen. */
export function description(text: string): Html {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${sentence(block)}</p>`;
    return html`<ul>${lines.map((line) => html`<li>${sentence(line.slice(2))}</li>`)}</ul>`;
  });
  return html`${blocks}`;
}
