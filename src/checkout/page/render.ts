import { type Html, html, raw } from '../../kernel/html.ts';
import { amountText, deadlineText, type Language, timeText } from '../../kernel/language.ts';
import { decimalFromCents } from '../../kernel/money.ts';
import type { Notice } from '../notice.ts';
import { type SessionView, versionOf } from '../view.ts';
import { TEXTS, type Texts } from './texts.ts';

/** The data that every page needs in addition to its session. */
export interface PageContext {
  readonly now: number;
  readonly sandbox: boolean;
  /** A step is over by then, whatever the bank does. */
  readonly stepMsMax: number;
  /** The style sheet's text, and the script's address relative to /pay/. */
  readonly assets: { readonly css: string; readonly js: string };
  /** The relative path from the page up to /pay/: empty, or `../` for each level. */
  readonly up: string;
}

/** An HTML document, and the text of its only style element, which its content security policy allows. */
export interface Page {
  readonly document: string;
  readonly style: string;
}

interface Frame {
  readonly locale: Language;
  readonly title: string;
  readonly attributes?: Html;
  readonly accent?: string | null;
  readonly body: Html;
}

const BLANK = raw('');

export function renderSession(view: SessionView, context: PageContext): Page {
  const text = TEXTS[view.locale];
  const isLive = view.push !== null || view.reference !== null;
  const attributes = html` data-version="${versionOf(view)}"${isLive ? raw(' data-live') : null}`;
  const title = `${titleOf(view, text)} · ${view.merchantName}`;
  const body = html`${header(view, text, context)}
<main>
${stateOf(view, text)}
${noticesOf(view, text)}
${view.push === null || view.reference === null ? null : html`<p class="notice">${text.payOnce}</p>`}
${view.push === null ? null : pushSection(view.push.endsAt, view.locale, text, context.now)}
${view.reference === null ? null : referenceSection(view, view.reference, text)}
${view.methods.length > 0 ? stepsSection(view, text) : view.state === 'open' && !isLive ? html`<section class="state"><p>${text.noMethod}</p></section>` : null}
${isLive ? refreshLink(view.locale, text) : null}
</main>
${footer(view, text)}`;
  return frame({ locale: view.locale, title, attributes, accent: view.brand.accent, body }, context);
}

export function renderMissing(locale: Language, context: PageContext): Page {
  const text = TEXTS[locale];
  const body = html`<main><section class="state"><h1>${text.missingTitle}</h1><p>${text.missingBody}</p></section></main>`;
  return frame({ locale, title: text.missingTitle, body }, context);
}

export function renderFailed(locale: Language, context: PageContext): Page {
  const text = TEXTS[locale];
  const body = html`<main><section class="state"><h1>${text.failedTitle}</h1><p>${text.failedBody}</p>
<p><a class="button" href="?lang=${locale}">${text.tryAgain}</a></p></section></main>`;
  return frame({ locale, title: text.failedTitle, body }, context);
}

/**
 * A page around a body. Its style sheet is part of it, because a second request would delay its first paint. Addresses are
 * relative, so that a proxy may add a path before them.
 */
export function frame(
  { locale, title, attributes = BLANK, accent = null, body }: Frame,
  context: PageContext,
): Page {
  const { sandbox, stepMsMax, assets, up } = context;
  const style = accent === null ? assets.css : `${assets.css}:root{--accent:${accent}}`;
  const document = `<!doctype html>\n${
    html`<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<style>${raw(style)}</style>
<script src="${up + assets.js}" defer></script>
</head>
<body data-step-ms="${String(stepMsMax)}"${attributes}>
${sandbox ? html`<p class="test">${TEXTS[locale].testMoney}</p>` : null}
<div class="page">
${body}
</div>
</body>
</html>`.markup
  }`;
  return { document, style };
}

/** The merchant's logo above its name. */
export function logoOf(logo: string | null, { up }: PageContext): Html | null {
  return logo === null ? null : html`<img class="logo" src="${up + logo}" alt="" height="56">`;
}

function header(view: SessionView, text: Texts, context: PageContext): Html {
  const { merchantName, brand, title, orderId, amount, locale } = view;
  return html`<header>
${logoOf(brand.logo, context)}
<p class="merchant">${merchantName}</p>
<p class="amount"><span class="hidden">${text.amount} </span>${amountText(amount, locale)}</p>
${title === null ? null : html`<p>${title}</p>`}
<p class="order">${text.order} <span>${orderId}</span></p>
</header>`;
}

function titleOf(view: SessionView, text: Texts): string {
  if (view.state === 'paid') return text.paidTitle;
  if (view.state === 'received') return text.receivedTitle;
  if (view.push !== null) return text.pushTitle;
  if (view.reference !== null) return text.referenceTitle;
  if (view.state === 'expired') return text.expiredTitle;
  return view.state === 'closed' ? text.closedTitle : text.title;
}

function stateOf({ state, reference, title, successUrl }: SessionView, text: Texts): Html {
  switch (state) {
    case 'open':
      return html`<h1 class="hidden">${text.title}</h1>`;
    case 'paid':
      return html`<section class="state good" role="status"><h1>${text.paidTitle}</h1><p>${text.paidBody}</p>
${
  successUrl === null
    ? null
    : html`<p><a class="button" href="${successUrl}" data-return>${text.backToStore}</a></p><p data-returning hidden>${text.returning} <button type="button" class="quiet" data-stay>${text.stay}</button></p>`
}</section>`;
    case 'received':
      return html`<section class="state good" role="status"><h1>${text.receivedTitle}</h1><p>${text.receivedBody}</p></section>`;
    case 'expired':
      return html`<section class="state" role="status"><h1>${text.expiredTitle}</h1><p>${title === null ? text.expiredBody : text.expiredLinkBody}</p>${
        reference === null ? null : html`<p>${text.expiredReference}</p>`
      }</section>`;
    case 'closed':
      return html`<section class="state" role="status"><h1>${text.closedTitle}</h1><p>${text.closedBody}</p></section>`;
  }
}

function noticesOf({ ended, notice, locale }: SessionView, text: Texts): Html {
  const endings = { refused: text.refused, lapsed: text.lapsed, 'reference-expired': text.referenceExpired };
  const id = isPhoneError(notice) ? raw(` id="${PHONE_ERROR}"`) : null;
  return html`${ended === null ? null : html`<p class="notice" role="alert">${endings[ended]}</p>`}
${notice === null ? null : html`<p class="notice" role="alert"${id}>${noticeText(notice, locale, text)}</p>`}`;
}

/** The id of the notice that describes the field for a phone number. */
const PHONE_ERROR = 'phone-error';

function isPhoneError(notice: Notice | null): boolean {
  return notice?.kind === 'phone' || notice?.kind === 'phone-unknown';
}

function noticeText({ kind, until }: Notice, locale: Language, text: Texts): string {
  switch (kind) {
    case 'phone':
      return text.phoneInvalid;
    case 'phone-unknown':
      return text.phoneUnknown;
    case 'method':
      return text.methodUnavailable;
    case 'push-open':
      return text.pushOpen;
    case 'bank':
      return text.bank;
    case 'limit':
    case 'limit-address': {
      // Rounded up, so that the time shown is never too early.
      const time = timeText(Math.ceil(until / 60_000) * 60_000, locale);
      return kind === 'limit' ? text.limit(time) : text.limitAddress(time);
    }
  }
}

function pushSection(endsAt: number | null, locale: Language, text: Texts, now: number): Html {
  const isOpen = endsAt !== null && endsAt > now;
  return html`<section class="card">
<h2>${text.pushTitle}</h2>
${
  isOpen
    ? html`<p>${text.pushBody}</p><ol>${text.pushSteps.map((step) => html`<li>${step}</li>`)}</ol>
<p class="countdown"><span data-countdown="${text.timeLeft}">${text.confirmBy}</span> <strong data-seconds="${String(Math.ceil((endsAt - now) / 1000))}">${timeText(endsAt, locale)}</strong></p>`
    : html`<p>${text.pushChecking}</p>`
}
</section>`;
}

function referenceSection(
  { amount, locale }: SessionView,
  { entity, reference, expiresAt }: NonNullable<SessionView['reference']>,
  text: Texts,
): Html {
  const grouped = reference.replace(/(\d{3})(?=\d)/g, '$1 ');
  // It is pasted into a Portuguese bank's form, whatever the language of this page.
  const pastedAmount = decimalFromCents(amount).replace('.', ',');
  return html`<section class="card">
<h2>${text.referenceTitle}</h2>
<p>${text.referenceBody}</p>
<dl>
${copied(text.entity, entity, entity, text)}
${copied(text.reference, grouped, reference, text)}
${copied(text.amount, amountText(amount, locale), pastedAmount, text)}
<div><dt>${text.payableUntil}</dt><dd class="small">${deadlineText(expiresAt, locale)}</dd></div>
</dl>
<p class="hidden" role="status" data-copy-status></p>
<p class="screen"><button type="button" class="quiet" data-print hidden>${text.print}</button></p>
</section>`;
}

function copied(label: string, shown: string, value: string, text: Texts): Html {
  return html`<div><dt>${label}</dt><dd><span>${shown}</span> <button type="button" class="quiet screen" data-copy="${value}" data-copied="${text.copied}" hidden>${text.copy}<span class="hidden"> ${label}</span></button></dd></div>`;
}

/** The steps; once a payment has started, the other method is shown as an alternative. */
function stepsSection({ methods, ended, notice, push, reference }: SessionView, text: Texts): Html {
  const isOther = push !== null || reference !== null;
  const heading = isOther ? html`<h2>${text.otherMethod}</h2>` : null;
  const phone = phoneField(text, { isRequired: true, errorId: isPhoneError(notice) ? PHONE_ERROR : null });
  const mbway = methods.includes('MBWAY') ? mbwayForm(phone, ended !== null, isOther, text) : null;
  const multibanco = methods.includes('REFERENCE') ? referenceForm(isOther || mbway !== null, text) : null;
  const or = mbway !== null && multibanco !== null ? html`<p class="or">${text.or}</p>` : null;
  return html`<section class="steps screen">${heading}${mbway}${or}${multibanco}</section>`;
}

function mbwayForm(phone: Html, again: boolean, isSecond: boolean, text: Texts): Html {
  return html`<form method="post">
<input type="hidden" name="method" value="MBWAY">
${phone}
<button class="${isSecond ? 'button second' : 'button'}">${again ? text.resendMbway : text.payMbway}</button>
</form>`;
}

/** The separators that `normalPhone` removes, and a pattern for the numbers that it accepts. */
const GAP = String.raw`[\s.\(\)\p{Pd}\p{Cf}]*`;
const PREFIX = String.raw`(\+|0${GAP}0)${GAP}3${GAP}5${GAP}1${GAP}`;
const PHONE_PATTERN = `${GAP}(${PREFIX})?9(${GAP}[0-9]){8}${GAP}`;

/** The field for a phone number; optional when the form offers two methods. `errorId` is the notice of why it was refused. */
export function phoneField(
  text: Texts,
  { isRequired, errorId }: { isRequired: boolean; errorId: string | null },
): Html {
  return html`<label for="phone">${text.phone}</label>
<input id="phone" name="phoneNumber" type="tel" inputmode="numeric" autocomplete="tel-national"${isRequired ? raw(' required') : null} maxlength="20" pattern="${PHONE_PATTERN}" title="${text.phoneHint}"${describedBy(errorId, 'phone-hint')}>
<p class="hint" id="phone-hint">${text.phoneHint}. ${text.mbwayHint}</p>`;
}

/** The attributes of a field with a hint, and with the notice of why it was refused. */
export function describedBy(errorId: string | null, hintId: string): Html {
  return errorId === null
    ? html` aria-describedby="${hintId}"`
    : html` aria-invalid="true" aria-describedby="${errorId} ${hintId}"`;
}

function referenceForm(isSecond: boolean, text: Texts): Html {
  return html`<form method="post">
<input type="hidden" name="method" value="REFERENCE">
<button class="${isSecond ? 'button second' : 'button'}">${text.payReference}</button>
<p class="hint">${text.referenceHint}</p>
</form>`;
}

function refreshLink(locale: Language, text: Texts): Html {
  return html`<p class="refresh screen"><span data-updates hidden>${text.refreshHint}</span> <a class="link" href="?lang=${locale}">${text.refresh}</a></p>`;
}

function footer({ state, cancelUrl, locale }: SessionView, text: Texts): Html {
  const isOver = state === 'paid' || state === 'received';
  const other = locale === 'pt' ? 'en' : 'pt';
  return html`<footer class="screen">
${cancelUrl === null || isOver ? null : html`<a class="link" href="${cancelUrl}">${state === 'open' ? text.cancel : text.backToStore}</a>`}
<a class="link" href="?lang=${other}" lang="${other}" hreflang="${other}">${text.otherLanguage}</a>
</footer>`;
}
