import { WORDS } from './words.js';

const windowMs = Number(document.body.dataset.windowMs);
const byId = (id) => document.getElementById(id);
const cards = new Map();
let language = storedLanguage() || (/^pt\b/i.test(navigator.language) ? 'pt' : 'en');
let pushes = [];
let clockOffset = 0;
let alertTimer;

function storedLanguage() {
  try {
    const kept = localStorage.getItem('language');
    return kept in WORDS ? kept : null;
  } catch {
    return null;
  }
}
const word = (key) => WORDS[language][key];
const euros = (amount) =>
  `${amount
    .toFixed(2)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '\u00a0')}\u00a0€`;
const grouped = (digits) => digits.replace(/\D/g, '').replace(/(\d{3})(?=\d)/g, '$1\u00a0');
const bankNow = () => Date.now() + clockOffset;
const timeText = (ms) => new Date(ms).toLocaleTimeString('pt-PT', { hour: '2-digit', minute: '2-digit' });

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function speak() {
  document.documentElement.lang = language === 'pt' ? 'pt-PT' : 'en';
  document.title = `${word('title')} · ${word('testMoney')}`;
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = word(node.dataset.text);
  for (const node of document.querySelectorAll('[data-label]'))
    node.setAttribute('aria-label', word(node.dataset.label));
  for (const node of document.querySelectorAll('[data-placeholder]'))
    node.placeholder = word(node.dataset.placeholder);
  for (const node of document.querySelectorAll('[data-language]'))
    node.setAttribute('aria-pressed', String(node.dataset.language === language));
  byId('phones').replaceChildren(
    ...word('phones').map((text, i) => {
      const row = element('tr');
      row.append(element('td', '', `911 000 ${String(i + 1).padStart(3, '0')}`), element('td', '', text));
      return row;
    }),
  );
  byId('result').replaceChildren();
  for (const card of cards.values()) card.remove();
  cards.clear();
  show();
}

function show() {
  const feed = byId('feed');
  const wanted = new Set(pushes.map((push) => push.requestId));
  for (const [id, card] of cards)
    if (!wanted.has(id)) {
      card.remove();
      cards.delete(id);
    }
  // Open pushes stay above the answered ones, each group newest first.
  const sorted = [...pushes].sort((a, b) => Number(b.state === 'pending') - Number(a.state === 'pending'));
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
  const open = pushes.filter((push) => push.state === 'pending').length;
  byId('count').textContent = open > 0 ? word('open')(open) : '';
}

function makeCard(push) {
  const card = element('article', 'push');
  card.setAttribute('aria-label', `${euros(push.amount)} · ${push.description}`);
  const header = element('header');
  header.append(element('b', '', grouped(push.phoneNumber)), element('span', 'chip'));
  const line = element('div', 'line');
  line.append(
    element('p', 'description', push.description || '—'),
    element('p', 'amount', euros(push.amount)),
  );
  const left = element('div', 'window');
  const row = element('div', 'left');
  row.append(element('span', '', word('timeLeft')), element('b'));
  const bar = element('div', 'bar');
  bar.append(element('i'));
  left.append(row, bar);
  const choice = element('div', 'choice');
  for (const outcome of ['reject', 'accept']) {
    const button = element('button', outcome, word(outcome));
    button.type = 'button';
    button.addEventListener('click', () => answer(card, push, outcome));
    choice.append(button);
  }
  card.append(header, line, left, choice);
  return card;
}

function refresh(card, push) {
  const chip = card.querySelector('.chip');
  chip.className = `chip ${push.state}`;
  chip.textContent =
    (push.state === 'pending' ? '' : `${word(push.state)} · `) + timeText(Date.parse(push.createdAt));
  card.classList.toggle('done', push.state !== 'pending');
  if (push.state !== 'pending') return;
  const leftMs = Math.max(0, Date.parse(push.createdAt) + windowMs - bankNow());
  const seconds = Math.ceil(leftMs / 1000);
  card.querySelector('.left b').textContent =
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  card.querySelector('.bar i').style.transform = `scaleX(${Math.min(1, leftMs / windowMs)})`;
  card.classList.toggle('hurry', leftMs < Math.min(30000, windowMs / 4));
}

async function send(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function answer(card, push, outcome) {
  const buttons = card.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  try {
    const { status } = await send('control/mbway', {
      phoneNumber: push.phoneNumber,
      outcome,
      requestId: push.requestId,
    });
    if (status !== 200) notify(word('tooLate'));
  } catch {
    notify(word('silent'));
  }
  for (const button of buttons) button.disabled = false;
  await look();
}

function notify(text) {
  byId('alert').textContent = text;
  byId('alert').hidden = false;
  clearTimeout(alertTimer);
  alertTimer = setTimeout(() => {
    byId('alert').hidden = true;
  }, 4000);
}

async function look() {
  const number = byId('phone-number').value.replace(/\D/g, '');
  try {
    const response = await fetch(`control/pushes${/^9\d{8}$/.test(number) ? `?phoneNumber=${number}` : ''}`);
    if (!response.ok) return;
    clockOffset = Number(response.headers.get('X-Sandbox-Now')) - Date.now();
    const all = await response.json();
    pushes = number ? all.filter((push) => push.phoneNumber.startsWith(number)) : all;
    show();
  } catch {
    notify(word('silent'));
  }
  byId('clock').textContent = timeText(bankNow());
}

async function pay(event) {
  event.preventDefault();
  const entity = byId('entity').value.replace(/\s/g, '');
  const reference = byId('reference').value.replace(/\s/g, '');
  const typed = byId('amount').value.replace(/[\s€]/g, '').replace(',', '.');
  if (!/^\d{5}$/.test(entity)) return printPaper(word('badEntity'));
  if (!/^\d{9}$/.test(reference)) return printPaper(word('badReference'));
  if (typed !== '' && !(/^\d{1,5}(\.\d{1,2})?$/.test(typed) && Number(typed) > 0))
    return printPaper(word('badAmount'));
  const button = document.querySelector('.pay');
  button.disabled = true;
  try {
    const amount = typed === '' ? undefined : Number(typed);
    const { status, body } = await send('control/multibanco', { entity, reference, amount });
    if (status === 200) printReceipt(entity, reference, amount, body.requestId);
    else printPaper(status === 404 ? word('unknownReference') : body.error);
  } catch {
    printPaper(word('silent'));
  }
  button.disabled = false;
}

function printPaper(reason) {
  const paper = element('div', 'paper failed');
  paper.append(element('strong', '', word('failedTitle')), element('p', '', reason));
  byId('result').replaceChildren(paper);
}

function printReceipt(entity, reference, amount, requestId) {
  const paper = element('div', 'paper paid');
  const list = element('dl');
  const rows = [
    [word('entity'), entity],
    [word('reference'), grouped(reference)],
    [word('amount').replace(' (€)', ''), amount === undefined ? word('amountDue') : euros(amount)],
    [word('date'), new Date(bankNow()).toLocaleString('pt-PT', { timeZone: 'Europe/Lisbon' })],
    [word('request'), requestId],
  ];
  for (const [name, value] of rows) list.append(element('dt', '', name), element('dd', '', value));
  paper.append(element('strong', '', word('paidTitle')), list);
  byId('result').replaceChildren(paper);
}

for (const button of document.querySelectorAll('[data-language]')) {
  button.addEventListener('click', () => {
    language = button.dataset.language;
    try {
      localStorage.setItem('language', language);
    } catch {
      /* a private window forgets, that is all */
    }
    speak();
  });
}
byId('atm').addEventListener('submit', pay);
byId('phone-number').addEventListener('input', look);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void look();
});
speak();
void look();
setInterval(() => {
  if (!document.hidden) void look();
}, 1000);
