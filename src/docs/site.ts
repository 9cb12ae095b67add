import { createHash } from 'node:crypto';
import { REST_PREFIX } from '../http/paths.ts';
import { type Directives, hasContent, readFragment } from './fragment.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';
import { createDocument } from './openapi.ts';
import { type Language, PAGES } from './pages.ts';
import { errorSections, errorTable } from './reference/errors.ts';
import { eventSections, exampleSecret } from './reference/events.ts';
import { type LimitSettings, limitsTable } from './reference/limits.ts';
import { operationList, operationSections } from './reference/operations.ts';
import { phoneTable } from './reference/phones.ts';
import { settingsTable } from './reference/settings.ts';
import { stateDiagram } from './reference/states.ts';
import { sampleTabs } from './samples.ts';

/** A page as it is sent. */
export interface RenderedPage {
  readonly html: string;
  /** Changes with what it says. */
  readonly etag: string;
}

/** Every page that has been written, by its path. Reads files and the contract; made once, it takes no more than the pages. */
export async function renderSite(settings: LimitSettings): Promise<ReadonlyMap<string, RenderedPage>> {
  const document = await createDocument(REST_PREFIX);
  const present = new Set(PAGES.filter(({ name }) => hasContent('en', name)).map(({ name }) => name));
  const sandbox = settings.bank === 'sandbox';
  const site = new Map<string, RenderedPage>();
  for (const page of PAGES) {
    for (const language of ['en', 'pt'] as const) {
      const text = page[language];
      if (text === undefined || !hasContent(language, page.name)) continue;
      const directives = directivesIn(language, document, settings);
      const fragment = readFragment(language, page.name, directives);
      site.set(text.path, rendered(renderPage({ page, language, fragment, sandbox, present })));
    }
  }
  return site;
}

function directivesIn(
  language: Language,
  document: Awaited<ReturnType<typeof createDocument>>,
  settings: LimitSettings,
): Directives {
  return {
    sample: (name = '') => sampleTabs(name),
    cards: () => cards(language),
    'operation-list': () => operationList(document, language),
    operations: () => operationSections(document),
    errors: () => errorSections(),
    'error-table': () => errorTable(language),
    states: () => stateDiagram(language),
    events: () => eventSections(document),
    'example-secret': () => html`<p>${exampleSecret()}</p>`,
    limits: () => limitsTable(settings),
    settings: () => settingsTable(),
    phones: () => phoneTable(language),
  };
}

/** The guides, for the entry page. */
function cards(language: Language) {
  const guides = PAGES.filter(({ group, name }) => group === 'guides' && hasContent(language, name));
  return html`<ul class="cards">${guides.map((page) => {
    const { path, title, summary } = page[language] ?? page.en;
    return html`<li><a href="${path}">${title}</a><p>${summary}</p></li>`;
  })}</ul>`;
}

function rendered(page: string): RenderedPage {
  return { html: page, etag: `"${createHash('sha256').update(page).digest('base64url').slice(0, 27)}"` };
}
