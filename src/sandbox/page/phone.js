import {
  announce,
  bankNow,
  byId,
  element,
  euros,
  grouped,
  locale,
  notify,
  send,
  setBankNow,
  timeText,
  word,
} from './tools.js';

const windowMs = Number(document.body.dataset.windowMs);
const HURRY_MS = 30_000;
const cards = new Map();
/** Request ids of open pushes that the customer ignores. */
const ignored = new Set();
let pushes = [];
let known = null;

export function startPhone() {
  // Keyboard users can scroll a long list.
  byId('feed').tabIndex = 0;
  byId('phone-number').addEventListener('input', () => void pollPhone());
}

export function pickPhone(number) {
  byId('phone-number').value = grouped(number.slice(0, 9));
  void pollPhone();
}

/** Renders every card again, in the new language. */
export function resetPhone() {
  for (const card of cards.values()) card.remove();
  cards.clear();
  show();
}

export async function pollPhone() {
  const number = byId('phone-number').value.replace(/\D/g, '');
  try {
    const response = await fetch(`control/pushes${/^9\d{8}$/.test(number) ? `?phoneNumber=${number}` : ''}`);
    if (!response.ok) return;
    setBankNow(Number(response.headers.get('X-Sandbox-Now')));
    const all = await response.json();
    pushes = number ? all.filter((push) => push.phoneNumber.startsWith(number)) : all;
    announceNew();
    show();
  } catch {
    notify(word('unavailable'));
  }
}

function announceNew() {
  const fresh = known && pushes.find((push) => push.state === 'pending' && !known.has(push.requestId));
  known = new Set([...(known ?? []), ...pushes.map((push) => push.requestId)]);
  if (fresh) announce(`${word('newPush')}: ${fresh.description}, ${euros(fresh.amount)}`);
}

const isOpen = (push) => push.state === 'pending' && !ignored.has(push.requestId);
const rank = (push) => (isOpen(push) ? 0 : push.state === 'pending' ? 1 : 2);

function show() {
  const now = bankNow();
  for (const id of ['clock', 'hour']) byId(id).textContent = timeText(now);
  byId('day').textContent = new Date(now).toLocaleDateString(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
  const feed = byId('feed');
  const wanted = new Set(pushes.map((push) => push.requestId));
  for (const [id, card] of cards)
    if (!wanted.has(id)) {
      card.remove();
      cards.delete(id);
    }
  // Open pushes, then ignored ones, then answered ones; each group newest first.
  const sorted = [...pushes].sort((a, b) => rank(a) - rank(b));
  sorted.forEach((push, i) => {
    let card = cards.get(push.requestId);
    if (!card) {
      card = makeCard(push);
      cards.set(push.requestId, card);
    }
    refresh(card, push);
    if (feed.children[i] !== card) feed.insertBefore(card, feed.children[i] || null);
  });
  byId('empty').hidden = pushes.length > 0;
}

function makeCard(push) {
  const card = element('article', 'push');
  card.setAttribute('aria-label', `${euros(push.amount)} · ${push.description}`);
  const header = element('header');
  const app = element('b', 'app', 'MB WAY');
  header.append(app, element('span', 'chip'));
  const line = element('div', 'line');
  line.append(
    element('p', 'asks', word('asks')),
    element('p', 'description', push.description || '—'),
    element('p', 'amount', euros(push.amount)),
    element('p', 'to', `${word('toPhone')} ${grouped(push.phoneNumber)}`),
  );
  const left = element('div', 'window');
  const row = element('div', 'left');
  row.append(element('span', '', word('timeLeft')), element('b'));
  const bar = element('div', 'bar');
  bar.append(element('i'));
  left.append(row, bar);
  card.append(header, line, left, choices(card, push));
  return card;
}

function choices(card, push) {
  const row = element('div', 'choice');
  const acts = {
    reject: () => answer(card, push, 'reject'),
    accept: () => answer(card, push, 'accept'),
    ignore: () => setAside(push, true),
    reopen: () => setAside(push, false),
  };
  for (const [name, act] of Object.entries(acts)) {
    const button = element('button', name, word(name));
    button.type = 'button';
    button.addEventListener('click', act);
    row.append(button);
  }
  return row;
}

function setAside(push, aside) {
  if (aside) ignored.add(push.requestId);
  else ignored.delete(push.requestId);
  show();
  // The focused button is hidden now.
  cards
    .get(push.requestId)
    ?.querySelector(aside ? '.reopen' : '.accept')
    ?.focus();
}

function refresh(card, push) {
  const open = isOpen(push);
  const aside = push.state === 'pending' && !open;
  const state = aside ? 'ignored' : push.state;
  const chip = card.querySelector('.chip');
  chip.className = `chip ${state}`;
  chip.textContent = (open ? '' : `${word(state)} · `) + timeText(Date.parse(push.createdAt));
  card.classList.toggle('done', !open);
  card.classList.toggle('aside', aside);
  if (push.state !== 'pending') return;
  const leftMs = Math.max(0, Date.parse(push.createdAt) + windowMs - bankNow());
  const seconds = Math.ceil(leftMs / 1000);
  card.querySelector('.left b').textContent =
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  card.querySelector('.bar i').style.transform = `scaleX(${Math.min(1, leftMs / windowMs)})`;
  card.classList.toggle('hurry', leftMs < Math.min(HURRY_MS, windowMs / 4));
}

async function answer(card, push, outcome) {
  const buttons = card.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  try {
    const { requestId, phoneNumber } = push;
    const { status } = await send('control/mbway', { phoneNumber, outcome, requestId });
    if (status !== 200) notify(word('tooLate'));
    else announce(`${euros(push.amount)}: ${word(outcome === 'accept' ? 'paid' : 'rejected')}`);
  } catch {
    notify(word('unavailable'));
  }
  for (const button of buttons) button.disabled = false;
  await pollPhone();
}
