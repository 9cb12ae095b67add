import { forget, nameCopy, showPay, startPay } from './pay.js';
import { ask, byId, choose, element, euros, locale, spoken, word } from './tools.js';

const PRICE = 19.9;
const QUANTITY_MAX = 9;
const POLL_MS = 1000;
const query = new URLSearchParams(location.search);
const orderId = query.get('order');
/** The payment page adds this after a payment. It proves nothing, but the customer must not pay again. */
const returned = query.has('session_id');
let order = null;
let shown = '';

function speak() {
  document.documentElement.lang = locale();
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = word(node.dataset.text);
  for (const node of document.querySelectorAll('[data-label]'))
    node.setAttribute('aria-label', word(node.dataset.label));
  for (const node of document.querySelectorAll('[data-copy]')) nameCopy(node, 'copy');
  for (const node of document.querySelectorAll('[data-language]'))
    node.setAttribute('aria-pressed', String(node.dataset.language === spoken()));
  shown = '';
  forget();
  showQuantity();
  if (order) show(order);
}

function showQuantity() {
  const quantity = Number(byId('quantity').value);
  byId('total').textContent = euros(PRICE * quantity);
  byId('less').disabled = quantity <= 1;
  byId('more').disabled = quantity >= QUANTITY_MAX;
}

async function placeOrder(event) {
  event.preventDefault();
  const problem = byId('order-problem');
  const name = byId('name').value.trim();
  const email = byId('email').value.trim();
  for (const field of ['name', 'email']) byId(field).removeAttribute('aria-invalid');
  problem.textContent = '';
  const wrong = name === '' ? 'name' : byId('email').validity.valid && email !== '' ? null : 'email';
  if (wrong) {
    problem.textContent = word(wrong === 'name' ? 'nameMissing' : 'emailWrong');
    byId(wrong).setAttribute('aria-invalid', 'true');
    byId(wrong).focus();
    return;
  }
  try {
    const placed = await ask('orders', { quantity: Number(byId('quantity').value), name, email });
    location.search = `?order=${placed.id}`;
  } catch ({ code }) {
    problem.textContent = word('problems')[code] ?? word('problems').other;
  }
}

/** The order page shows only the state from the backend. */
function show(next) {
  order = next;
  const confirming = returned && !order.paid;
  if (!confirming) showPay(order);
  byId('confirming').hidden = !confirming;
  byId('pay').hidden = confirming || Boolean(order.paid);
  byId('behind').hidden = false;
  if (order.paid && byId('paid').hidden) {
    byId('paid').hidden = false;
    setTimeout(() => byId('paid-title').focus());
  }
  const now = JSON.stringify([order.paid, order.webhooks]);
  if (now === shown) return;
  shown = now;
  showWebhooks();
  if (order.paid) showPaid();
}

function showPaid() {
  byId('paid-text').textContent = word('paidText')(order.name.split(' ')[0]);
  const method = order.paid.method === 'MBWAY' ? 'MB WAY' : 'Multibanco';
  const facts = [
    ['orderWord', order.number],
    ['amount', euros(order.amount)],
    ['paidWith', method],
    ['paidAt', new Date(order.paid.at).toLocaleString(locale(), { timeZone: 'Europe/Lisbon' })],
    ['confirmedBy', word(order.paid.confirmedBy)],
  ];
  byId('paid-facts').replaceChildren(
    ...facts.map(([key, value]) => {
      const row = element('div');
      row.append(element('dt', '', word(key)), element('dd', '', value));
      return row;
    }),
  );
}

function showWebhooks() {
  byId('behind-none').hidden = order.webhooks.length > 0;
  byId('webhooks').replaceChildren(
    ...order.webhooks.map((webhook) => {
      const item = element('li');
      const head = element('p', 'what');
      const outcome = webhook.repeated ? 'repeated' : 'verified';
      head.append(
        element('b', '', webhook.event),
        element('span', outcome, word(outcome)),
        element('time', '', new Date(webhook.at).toLocaleTimeString(locale())),
      );
      const lines = [
        `X-Service-Event: ${webhook.event}`,
        `X-Service-Delivery-Id: ${webhook.deliveryId}`,
        `X-Service-Signature: ${webhook.signature}`,
        '',
        webhook.body,
      ];
      const details = element('details');
      const bytes = element('pre', '', lines.join('\n'));
      bytes.tabIndex = 0;
      details.append(element('summary', '', word('bytes')), bytes);
      item.append(head, details);
      return item;
    }),
  );
}

async function poll() {
  // A webhook may confirm after the status call did.
  if (document.hidden || order?.paid?.confirmedBy === 'webhook') return;
  const before = order;
  try {
    const seen = await ask(`orders/${orderId}`);
    // An older answer must not replace a newer one.
    if (order === before) show(seen);
  } catch ({ code }) {
    // A failed poll changes nothing.
    if (code === 'ORDER_NOT_FOUND') byId('lost').hidden = false;
  }
}

for (const button of document.querySelectorAll('[data-language]')) {
  button.addEventListener('click', () => {
    choose(button.dataset.language);
    speak();
  });
}
for (const [id, step] of [
  ['less', -1],
  ['more', 1],
]) {
  byId(id).addEventListener('click', () => {
    byId('quantity').value = String(Number(byId('quantity').value) + step);
    showQuantity();
  });
}
byId('order').addEventListener('submit', placeOrder);
speak();
if (orderId !== null) {
  byId('product').hidden = true;
  startPay(`orders/${encodeURIComponent(orderId)}`, show);
  void poll();
  setInterval(poll, POLL_MS);
  document.addEventListener('visibilitychange', poll);
}
