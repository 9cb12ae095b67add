import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeLanguage, highlight } from './highlight.ts';
import { type Html, html } from './html.ts';

export const SAMPLES_FOLDER = join(import.meta.dirname, 'samples');

/** The languages of samples: how their files end, and how a reader calls them. */
const SAMPLE_LANGUAGES = [
  { ending: '.sh', language: 'sh', label: 'curl' },
  { ending: '.ts.txt', language: 'ts', label: 'TypeScript' },
  { ending: '.js.txt', language: 'js', label: 'JavaScript' },
  { ending: '.php', language: 'php', label: 'PHP' },
  { ending: '.py', language: 'py', label: 'Python' },
] as const satisfies readonly { ending: string; language: CodeLanguage; label: string }[];

/** The sample of this name in every language that it has, one of which is shown at a time where scripts run. */
export function sampleTabs(name: string): Html {
  const files = SAMPLE_LANGUAGES.filter(({ ending }) => existsSync(join(SAMPLES_FOLDER, name + ending)));
  if (files.length === 0) throw new Error(`there is no sample ${name} in ${SAMPLES_FOLDER}`);
  const panels = files.map(({ ending, language, label }) => {
    const code = readFileSync(join(SAMPLES_FOLDER, name + ending), 'utf8');
    return html`<div class="panel" data-label="${label}">${codeBlock(code, language, label)}</div>`;
  });
  return panels.length === 1 ? html`${panels}` : html`<div class="tabs">${panels}</div>`;
}

/** Code with its name above it. */
export function codeBlock(code: string, language: CodeLanguage, label: string): Html {
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${highlight(code.trimEnd(), language)}</code></pre></figure>`;
}
