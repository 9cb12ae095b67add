import { ask, byId, dateTime, euros, grouped, spoken, word } from './tools.js';

const sandboxUrl = document.body.dataset.sandbox;
const COPIED_MS = 2000;
/** `performance.now()` at which the push expires; the page counts down between two answers. */
let lapsesAt = 0;
let fullMs = 1;
let saidLast = '';
/** No event reports a rejected push while a reference is live, so the customer can hide the countdown. */
let putAway = false;
let wasWaiting = false;

/** Connects the two payment forms; `show` receives the backend's answers. */
export function startPay(path, show) {
  byId('mbway').addEventListener('submit', (event) => {
    const phoneNumber = nationalNumber(byId('phone').value);
    if (/^9\d{8}$/.test(phoneNumber)) {
      putAway = false;
      return pay(event, `${path}/mbway`, { phoneNumber }, show);
    }
    event.preventDefault();
    complain('PHONE');
  });
  byId('multibanco').addEventListener('submit', (event) => pay(event, `${path}/multibanco`, {}, show));
  byId('hosted').addEventListener('submit', (event) =>
    pay(event, `${path}/page`, {}, ({ url }) => location.assign(url)),
  );
  byId('put-away').addEventListener('click', () => {
    putAway = true;
    byId('waiting').hidden = true;
    byId('settling').hidden = true;
    byId('put-away').hidden = true;
    byId('mbway').hidden = false;
    byId('phone').focus();
    stopWaiting();
  });
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => copy(button));
  }
  setInterval(showLeft, 250);
}

/** `+351 912345678`, as a browser fills it in, is `912345678`. */
function nationalNumber(text) {
  return text.replace(/\D/g, '').replace(/^(00)?351(?=9\d{8}$)/, '');
}

/** Translates the announced text after a change of language. */
export function forget() {
  saidLast = '';
  complain(null);
}

async function pay(event, path, body, show) {
  event.preventDefault();
  const button = event.target.querySelector('button');
  button.disabled = true;
  complain(null);
  try {
    const order = await ask(path, body);
    fullMs = Math.max(1, order.push?.leftMs ?? 0);
    show(order);
  } catch ({ code, fields }) {
    complain(code === 'INVALID_FIELDS' && fields?.includes('phoneNumber') ? 'PHONE' : code);
  }
  button.disabled = false;
}

function complain(code) {
  const problems = word('problems');
  byId('pay-problem').textContent = code === null ? '' : (problems[code] ?? problems.other);
  const phone = code === 'PHONE' || code === 'MBWAY_PHONE_REJECTED';
  if (phone) byId('phone').focus();
  byId('phone').setAttribute('aria-invalid', String(phone));
}

export function showPay(order) {
  const { push, reference } = order;
  byId('summary').textContent = word('summary')(order.number, order.quantity);
  byId('due').textContent = euros(order.amount);
  const open = push !== null && push.ended === null && order.paid === null;
  const waits = open && !putAway;
  const live = reference !== null && !reference.expired;
  lapsesAt = waits ? performance.now() + push.leftMs : 0;
  if (waits) fullMs = Math.max(fullMs, push.leftMs);
  byId('mbway').hidden = waits;
  byId('waiting').hidden = !waits || push.leftMs === 0;
  byId('settling').hidden = !waits || push.leftMs > 0;
  byId('put-away').hidden = !(waits && live);
  byId('multibanco').hidden = live;
  byId('reference').hidden = !live;
  byId('both').hidden = !(open && live);
  set('push-ended', push?.ended ? word(push.ended) : '');
  set('reference-ended', reference?.expired ? word('referenceExpired') : '');
  if (waits) showPush(push);
  else stopWaiting();
  if (live) showReference(order, reference);
}

/** Clears the announcement when a push or a reference has ended. */
function stopWaiting() {
  lapsesAt = 0;
  if (wasWaiting) say('');
  wasWaiting = false;
}

function showPush(push) {
  wasWaiting = true;
  byId('waiting-text').textContent = word('waiting')(grouped(push.phoneNumber));
  byId('to-phone').href = `${sandboxUrl}/#phone=${push.phoneNumber}&language=${spoken()}`;
  showLeft();
  say(byId('waiting-text').textContent);
}

function showReference(order, { entity, reference, expiresAt }) {
  byId('ref-entity').textContent = entity;
  byId('ref-reference').textContent = grouped(reference);
  byId('ref-amount').textContent = euros(order.amount);
  byId('ref-until').textContent = word('payUntil')(dateTime(expiresAt));
  const amount = order.amount.toFixed(2);
  const slip = new URLSearchParams({ entity, reference, amount, language: spoken() });
  byId('to-atm').href = `${sandboxUrl}/#${slip}`;
}

function showLeft() {
  if (lapsesAt === 0) return;
  const leftMs = Math.max(0, lapsesAt - performance.now());
  const seconds = Math.ceil(leftMs / 1000);
  byId('left').textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  byId('left-ring').style.strokeDashoffset = String(100 - (100 * leftMs) / fullMs);
}

async function copy(button) {
  const text = byId(button.dataset.copy).textContent;
  await navigator.clipboard.writeText(text.replace(/[^\d,]/g, ''));
  nameCopy(button, 'copied');
  say(word('copied'));
  setTimeout(() => nameCopy(button, 'copy'), COPIED_MS);
}

/** Labels the copy buttons for screen readers. */
export function nameCopy(button, key) {
  const what = button.closest('div').querySelector('dt').textContent;
  button.textContent = word(key);
  button.setAttribute('aria-label', `${word(key)}: ${what}`);
}

/** Announces a text once, so that screen readers do not repeat it every second. */
function set(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

function say(text) {
  if (saidLast !== text) byId('said').textContent = text;
  saidLast = text;
}
