import { html } from '../../kernel/html.ts';
import { amountText, type Language } from '../../kernel/language.ts';
import { AMOUNT_MAX_CENTS } from '../../kernel/money.ts';
import type { LinkPage } from '../link-session.ts';
import { describedBy, frame, logoOf, type Page, type PageContext, phoneField } from './render.ts';
import { TEXTS } from './texts.ts';

const AMOUNT_ERROR = 'amount-error';

export function renderLink(
  link: LinkPage,
  { locale, problem, visit }: { locale: Language; problem: unknown; visit: string },
  context: PageContext,
): Page {
  const text = TEXTS[locale];
  const { merchantName, brand, title, amount } = link;
  const other = locale === 'pt' ? 'en' : 'pt';
  const body = html`<header>
${logoOf(brand.logo, context)}
<p class="merchant">${merchantName}</p>
${amount === null ? null : html`<p class="amount"><span class="hidden">${text.amount} </span>${amountText(amount, locale)}</p>`}
<h1>${title}</h1>
</header>
<main>
${problem === 'amount' ? html`<p class="notice" role="alert" id="${AMOUNT_ERROR}">${text.amountInvalid} ${amountRule(link, locale)}</p>` : null}
${problem === 'limit' ? html`<p class="notice" role="alert">${text.linkLimit}</p>` : null}
${
  link.isActive
    ? stepsForm(link, { locale, visit, amountError: problem === 'amount' ? AMOUNT_ERROR : null })
    : html`<section class="state" role="status"><h2>${text.linkClosedTitle}</h2><p>${text.linkClosedBody}</p></section>`
}
</main>
<footer><a class="link" href="?lang=${other}" lang="${other}" hreflang="${other}">${text.otherLanguage}</a></footer>`;
  const page = { locale, title: `${title} · ${merchantName}`, accent: brand.accent, body };
  return frame(page, context);
}

interface LinkForm {
  readonly locale: Language;
  readonly visit: string;
  /** The id of the notice of why the amount was refused. */
  readonly amountError: string | null;
}

function stepsForm(link: LinkPage, { locale, visit, amountError }: LinkForm) {
  const text = TEXTS[locale];
  const [hasMbway, hasReference] = [link.methods.includes('MBWAY'), link.methods.includes('REFERENCE')];
  if (!hasMbway && !hasReference) return html`<section class="state"><p>${text.noMethod}</p></section>`;
  return html`<form class="steps" method="post">
<input type="hidden" name="visit" value="${visit}" autocomplete="off">
${link.amount === null ? amountField(link, locale, amountError) : null}
${
  hasMbway
    ? html`${phoneField(text, { isRequired: !hasReference, errorId: null })}
<button class="button" name="method" value="MBWAY">${text.payMbway}</button>`
    : null
}
${hasMbway && hasReference ? html`<p class="or">${text.or}</p>` : null}
${
  hasReference
    ? html`<button class="${hasMbway ? 'button second' : 'button'}" name="method" value="REFERENCE">${text.payReference}</button>
<p class="hint">${text.referenceHint}</p>`
    : null
}
</form>`;
}

function amountField(link: LinkPage, locale: Language, errorId: string | null) {
  const text = TEXTS[locale];
  return html`<label for="amount">${text.amount}</label>
<input id="amount" name="amount" type="text" inputmode="decimal" autocomplete="off" required maxlength="12"${describedBy(errorId, 'amount-hint')}>
<p class="hint" id="amount-hint">${amountRule(link, locale)}</p>`;
}

function amountRule({ min, max }: LinkPage, locale: Language): string {
  return TEXTS[locale].amountRule(amountText(min, locale), amountText(max ?? AMOUNT_MAX_CENTS, locale));
}
