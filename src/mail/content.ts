import { type Html, html } from '../kernel/html.ts';
import type { Language } from '../kernel/language.ts';
import { withoutInvisible } from '../kernel/visible.ts';

/** The content of a mail, rendered as plain text and as HTML. */
export interface MailContent {
  subject: string;
  /** The subject by default. */
  heading?: string;
  paragraphs: readonly string[];
  /** Values to copy or compare, with their names. */
  rows?: readonly (readonly [name: string, value: string])[];
  action?: { label: string; url: string };
  /** Smaller text below. */
  notes?: readonly string[];
}

const COLOURS = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #14171c !important; color: #e4e7ec !important; }
  .card { background: #1d2129 !important; border-color: #343a46 !important; }
  .name, .note { color: #a3acba !important; }
  .button { background: #8ab4ff !important; color: #0b1220 !important; }
}`;

/** Renders the plain text and the HTML of a mail. `from` is the sender's name. */
export function renderMail(content: MailContent, language: Language, from: string) {
  return {
    subject: withoutInvisible(content.subject),
    text: withoutInvisible(plainText(content, from)),
    html: page(content, language, from),
  };
}

function plainText(
  { subject, heading = subject, paragraphs, rows = [], action, notes = [] }: MailContent,
  from: string,
): string {
  const parts = [
    heading,
    ...paragraphs,
    rows.map(([name, value]) => `${name}: ${value}`).join('\n'),
    action === undefined ? '' : `${action.label}:\n${action.url}`,
    ...notes,
    `-- \n${from}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function page(
  { subject, heading = subject, paragraphs, rows = [], action, notes = [] }: MailContent,
  language: Language,
  from: string,
): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${{ markup: COLOURS }}</style>
</head>
<body style="margin:0;background:#f3f4f6;color:#1b2028">
<div class="page" style="padding:24px 12px;background:#f3f4f6;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div class="card" style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dfe3e8;border-radius:12px">
<p class="name" style="margin:0 0 12px;color:#5a6472;font-size:14px">${from}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)}
${rows.length === 0 ? null : table(rows)}
${action === undefined ? null : button(action)}
${notes.map((text) => html`<p class="note" style="margin:16px 0 0;color:#5a6472;font-size:14px">${text}</p>`)}
</div>
</div>
</body>
</html>
`.markup;
}

function table(rows: NonNullable<MailContent['rows']>): Html {
  return html`<table role="presentation" style="width:100%;margin:0 0 16px;border-collapse:collapse">
${rows.map(
  ([name, value]) => html`<tr>
<td class="name" style="padding:6px 12px 6px 0;color:#5a6472;vertical-align:top">${name}</td>
<td style="padding:6px 0;text-align:right;font-weight:600;overflow-wrap:anywhere">${value}</td>
</tr>`,
)}
</table>`;
}

function button({ label, url }: { label: string; url: string }): Html {
  return html`<p style="margin:8px 0 16px"><a class="button" href="${url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1c4fd7;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></p>
<p class="note" style="margin:0 0 8px;color:#5a6472;font-size:13px;overflow-wrap:anywhere">${url}</p>`;
}
