import { errorAnchor, REFERENCE_PATH } from '../../http/error-help.ts';
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors.ts';
import { ERROR_NOTES, RETRY_WORDS } from '../error-notes.ts';
import { type Html, html, sentence } from '../html.ts';
import type { Language } from '../pages.ts';

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

const HEADS: Record<Language, { code: string; act: string; shopper: string; again: string }> = {
  en: {
    code: 'Code',
    act: 'What to do',
    shopper: 'What the shopper reads',
    again: 'Repeat it?',
  },
  pt: { code: 'Código', act: 'O que fazer', shopper: 'O que o cliente lê', again: 'Repetir?' },
};

/** Every code with all that is to be said of it; each can be linked to. */
export function errorSections(): Html {
  return html`${CODES.map((code) => {
    const { en, retry, shopper } = ERROR_NOTES[code];
    const id = errorAnchor(code);
    return html`<section class="error" aria-labelledby="${id}">
<h3 id="${id}"><code>${code}</code> <span class="status">${ERROR_STATUS[code]}</span></h3>
<p>${sentence(en.means)}</p>
<dl><dt>What to do</dt><dd>${sentence(en.act)}</dd>
<dt>Repeat the call?</dt><dd>${RETRY_WORDS[retry].en}.</dd>
${shopper === null ? null : html`<dt>What to tell the shopper</dt><dd lang="pt">${shopper}</dd>`}</dl>
</section>`;
  })}`;
}

/** The codes as a table, for the guides; each leads to its section. */
export function errorTable(language: Language): Html {
  const heads = HEADS[language];
  const rows = CODES.map((code) => {
    const { [language]: words, retry, shopper } = ERROR_NOTES[code];
    return html`<tr><th scope="row"><a href="${REFERENCE_PATH}#${errorAnchor(code)}"><code>${code}</code></a> <span class="status">${ERROR_STATUS[code]}</span></th>
<td><strong>${RETRY_WORDS[retry][language]}.</strong> ${sentence(words.act)}</td>
<td lang="pt">${shopper ?? '–'}</td></tr>`;
  });
  return html`<table class="errors"><thead><tr><th scope="col">${heads.code}</th><th scope="col">${heads.again} ${heads.act}</th><th scope="col">${heads.shopper}</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}
