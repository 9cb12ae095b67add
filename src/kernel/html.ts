import { withoutInvisible } from './visible.ts';

/** Text that is already HTML. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | null | readonly Html[];

/** Builds HTML from a template. Strings are escaped and lose invisible characters, lists are joined, null is empty. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return raw(strings.reduce((text, string, i) => text + markupOf(parts[i - 1] ?? null) + string));
}

export function raw(markup: string): Html {
  return { markup };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escapeHtml(part);
  return 'markup' in part ? part.markup : part.map(markupOf).join('\n');
}

function escapeHtml(text: string): string {
  return withoutInvisible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
