import type { Settings } from '../../config.ts';
import { AMOUNT_MAX_CENTS } from '../../kernel/money.ts';
import { ATTEMPT_TIMEOUT_MS, ATTEMPTS_MAX } from '../../webhooks/delivery/schedule.ts';
import { type Html, html, sentence } from '../html.ts';

export type LimitSettings = Pick<
  Settings,
  | 'bank'
  | 'postRateLimit'
  | 'mbwayWindowMs'
  | 'mbwayGraceMs'
  | 'mbwayMaxCents'
  | 'multibancoDays'
  | 'multibancoGraceMs'
  | 'pendingMs'
>;

/** The limits that hold at this very service: where a setting decides, its value. */
export function limitsTable(settings: LimitSettings): Html {
  const rows: readonly (readonly [name: string, value: string, applies: string])[] = [
    [
      'Rate limit',
      settings.postRateLimit === 0 ? 'off at this service' : `${settings.postRateLimit} a minute`,
      'POST requests under `/api/v1` and `/trpc` together, for each client address (IPv6: each /64). The minute starts with its first POST. GET is not counted.',
    ],
    ['Request body', '256 KiB', 'Every POST.'],
    ['Amount', `0.01 to ${euros(AMOUNT_MAX_CENTS)} EUR`, 'init; at most two decimals.'],
    [
      'MB WAY amount',
      `${euros(settings.mbwayMaxCents)} EUR`,
      'The MB WAY step; above it `AMOUNT_ABOVE_METHOD_LIMIT`.',
    ],
    [
      'orderId',
      '1 to 255 characters',
      "No control characters. The MB WAY app shows the shop's name and the orderId, cut to 50 characters.",
    ],
    ['Items', '200', 'Texts of at most 500 characters each.'],
    ['Idempotency-Key', '1 to 255 printable ASCII characters', 'Kept for 7 days, after a 200 alone.'],
    ['phoneNumber', '9 digits, `9XXXXXXXX`', 'The MB WAY step. No prefix, no spaces.'],
    [
      'MB WAY confirmation',
      duration(settings.mbwayWindowMs),
      `The time that the shopper has; the outcome is known at the latest ${duration(settings.mbwayGraceMs)} later when the bank answers.`,
    ],
    [
      'Multibanco reference',
      settings.multibancoDays === 0 ? 'the same day' : `${settings.multibancoDays} days`,
      `Payable until \`expiresAt\`, 23:59:59 in Lisbon; \`payment.failed\` follows ${duration(settings.multibancoGraceMs)} later, after a last look.`,
    ],
    ['Transaction without a live method', duration(settings.pendingMs), 'Then it is cancelled.'],
    [
      'Webhook answer',
      `${ATTEMPT_TIMEOUT_MS / 1000} s`,
      'Each attempt, from the name look-up to the last byte.',
    ],
    [
      'Webhook attempts',
      String(ATTEMPTS_MAX),
      'At once, then 200 ms, 1 s and 5 s after the end of the failed attempt.',
    ],
    ['Webhook address', '2048 characters', 'https alone, no credentials, any port, public addresses only.'],
    ['Currency', 'EUR', 'The only one.'],
  ];
  return html`<table><thead><tr><th scope="col">Limit</th><th scope="col">Value</th><th scope="col">Applies to</th></tr></thead>
<tbody>${rows.map(([name, value, applies]) => html`<tr><th scope="row">${name}</th><td>${sentence(value)}</td><td>${sentence(applies)}</td></tr>`)}</tbody></table>`;
}

function euros(cents: number): string {
  return String(cents / 100);
}

/** 240000 is `4 minutes`. */
function duration(ms: number): string {
  const units = [
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ] as const;
  const [size, unit] = units.find(([length]) => ms >= length && ms % length === 0) ?? [1000, 'second'];
  const count = ms / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
