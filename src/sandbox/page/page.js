import { fillAtm, resetAtm, startAtm } from './atm.js';
import { behind } from './behind.js';
import { mailbox } from './mailbox.js';
import { pickPhone, pollPhone, resetPhone, startPhone } from './phone.js';
import { byId, choose, element, locale, spoken, word } from './tools.js';

const POLL_EVERY_MS = 1000;

function render() {
  document.documentElement.lang = locale();
  document.title = `${word('title')} · TEST MONEY`;
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = word(node.dataset.text);
  for (const node of document.querySelectorAll('[data-label]'))
    node.setAttribute('aria-label', word(node.dataset.label));
  for (const node of document.querySelectorAll('[data-placeholder]'))
    node.placeholder = word(node.dataset.placeholder);
  for (const node of document.querySelectorAll('[data-language]'))
    node.setAttribute('aria-pressed', String(node.dataset.language === spoken()));
  byId('phones').replaceChildren(
    ...word('phones').map((text, i) => {
      const row = element('div');
      row.append(element('dt', '', `911 000 ${String(i + 1).padStart(3, '0')}`), element('dd', '', text));
      return row;
    }),
  );
  resetPhone();
  resetAtm();
  behind.reset();
  mailbox.reset();
}

/** Applies `#phone=912345678`, `#entity=…&reference=…&amount=…` and `#language=en`. */
function applyHash() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const language = wanted.get('language');
  if (language !== spoken() && document.querySelector(`[data-language="${CSS.escape(language ?? '')}"]`)) {
    choose(language);
    render();
  }
  if (wanted.has('phone')) pickPhone(wanted.get('phone'));
  if (wanted.has('entity')) fillAtm(wanted);
}

function poll() {
  if (document.hidden) return;
  void pollPhone();
  void behind.poll();
  void mailbox.poll();
}

for (const button of document.querySelectorAll('[data-language]')) {
  button.addEventListener('click', () => {
    choose(button.dataset.language);
    render();
    poll();
  });
}
startPhone();
startAtm();
render();
applyHash();
poll();
addEventListener('hashchange', applyHash);
document.addEventListener('visibilitychange', poll);
setInterval(poll, POLL_EVERY_MS);
