import { showAmountDue } from './atm.js';
import { byId, element, euros, timeText, word } from './tools.js';

const SHOWN_MAX = 12;
let shown = '';

/** Makes the next poll render everything, in the new language. */
export function resetBehind() {
  shown = '';
}

export async function pollBehind() {
  try {
    const response = await fetch('behind');
    if (!response.ok) return;
    const text = await response.text();
    // Without a change, opened details and the focus stay.
    if (text === shown) return;
    shown = text;
    const data = JSON.parse(text);
    showAmountDue(data.callbacks);
    show(data);
  } catch {
    // The phone reports an unavailable bank.
  }
}

function show({ callbacks, webhooks }) {
  const steps = [
    ...callbacks.map((sent) => ({
      key: `${sent.requestId} ${sent.at}`,
      at: sent.at,
      make: () => callbackStep(sent),
    })),
    ...(webhooks ?? []).map((webhook) => ({
      key: webhook.deliveryId,
      at: webhook.createdAt,
      make: () => webhookStep(webhook),
    })),
  ].sort((a, b) => b.at - a.at);
  const list = byId('behind');
  const opened = new Set([...list.querySelectorAll('details[open]')].map((node) => node.dataset.key));
  list.replaceChildren(
    ...steps.slice(0, SHOWN_MAX).map(({ key, make }) => {
      const step = make();
      const details = step.querySelector('details');
      if (details) {
        details.dataset.key = key;
        details.open = opened.has(key);
      }
      return step;
    }),
  );
  byId('behind-note').textContent = note(steps.length, webhooks);
}

function note(count, webhooks) {
  if (webhooks === null) return word('webhooksElsewhere');
  return count === 0 ? word('nothingYet') : '';
}

function step(kind, at, who, what, outcome, tone) {
  const made = element('li', kind);
  const head = element('div', 'step');
  const text = element('p', 'what', what);
  head.append(element('span', 'who', who), element('time', '', timeText(at, true)), text);
  made.append(head, element('p', `outcome ${tone}`, outcome));
  return made;
}

function callbackStep({ at, method, amount, attempt, answer, durationMs }) {
  const ok = answer === '200';
  const what = `${method === 'MBWAY' ? 'MB WAY' : 'Multibanco'}, ${euros(amount)}`;
  const outcome = `${ok ? word('callbackAccepted') : word('callbackFailed')}: ${answer}, ${durationMs} ms${tries(attempt)}`;
  return step('callback', at, word('bankToService'), what, outcome, ok ? 'good' : 'bad');
}

const TONES = { delivered: 'good', undelivered: 'bad', skipped: 'quiet', due: 'quiet' };

function webhookStep(webhook) {
  const body = JSON.parse(webhook.body);
  const what = `${webhook.event} · ${webhook.shop} · ${body.data.externalOrderId}`;
  const made = step(
    'webhook',
    webhook.createdAt,
    word('serviceToShop'),
    what,
    outcomeOf(webhook),
    TONES[webhook.state],
  );
  const details = element('details');
  const headers = [
    `X-Service-Event: ${webhook.event}`,
    `X-Service-Delivery-Id: ${webhook.deliveryId}`,
    `webhook-id: ${webhook.eventId}`,
  ].join('\n');
  const code = element('pre', '', `${headers}\n\n${JSON.stringify(body, null, 2)}`);
  code.tabIndex = 0;
  details.append(element('summary', '', word('showBody')), code);
  made.append(details);
  return made;
}

function outcomeOf({ state, status, error, attempts, durationMs, host }) {
  if (state === 'delivered') {
    // The service deletes old attempts.
    const how = status === null ? '' : `: ${status}, ${durationMs} ms`;
    return `${word('delivered')} ${host ?? ''}${how}${tries(attempts)}`;
  }
  if (state === 'skipped') return word('skipped');
  const reason = status === null ? (error ?? '') : String(status);
  if (state === 'undelivered') return `${word('undelivered')}${reason && `: ${reason}`}${tries(attempts)}`;
  return attempts === 0 ? word('due') : `${word('again')}${reason && `: ${reason}`}${tries(attempts)}`;
}

const tries = (attempt) => (attempt > 1 ? ` · ${word('attempt')} ${attempt}` : '');
