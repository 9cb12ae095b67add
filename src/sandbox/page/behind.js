import { showAmountDue } from './atm.js';
import { createFeed, entry } from './feed.js';
import { byId, element, euros, word } from './tools.js';

const SHOWN_MAX = 12;

export const behind = createFeed('behind', 'behind', (data) => {
  const { callbacks = [], webhooks = null } = data ?? {};
  showAmountDue(callbacks);
  const steps = [
    ...callbacks.map((sent) => ({ at: sent.at, make: () => callbackStep(sent) })),
    ...(webhooks ?? []).map((webhook) => ({ at: webhook.createdAt, make: () => webhookStep(webhook) })),
  ].sort((a, b) => b.at - a.at);
  byId('behind-note').textContent = note(steps.length, webhooks);
  return steps.slice(0, SHOWN_MAX).map(({ make }) => make());
});

function note(count, webhooks) {
  if (webhooks === null) return word('webhooksElsewhere');
  return count === 0 ? word('nothingYet') : '';
}

function step(kind, at, who, what, outcome, tone) {
  const made = entry(kind, who, at, what);
  made.append(element('p', `outcome ${tone}`, outcome));
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
  details.dataset.key = webhook.deliveryId;
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
