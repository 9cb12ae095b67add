import { WORDS } from './words.js';

export const byId = (id) => document.getElementById(id);
let language = storedLanguage() || (/^pt\b/i.test(navigator.language) ? 'pt' : 'en');
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

export const spoken = () => language;
export const locale = () => (language === 'pt' ? 'pt-PT' : 'en-GB');
export const word = (key) => WORDS[language][key];

export function choose(chosen) {
  language = chosen;
  try {
    localStorage.setItem('language', chosen);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}

/** The time of the bank's clock, which can differ from the browser's. */
export const bankNow = () => Date.now() + clockOffset;
export function setBankNow(now) {
  clockOffset = now - Date.now();
}

export const euros = (amount) =>
  `${amount
    .toFixed(2)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '\u00a0')}\u00a0€`;
export const grouped = (digits) => digits.replace(/\D/g, '').replace(/(\d{3})(?=\d)/g, '$1\u00a0');
export const timeText = (ms, seconds) =>
  new Date(ms).toLocaleTimeString('pt-PT', {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds && { second: '2-digit' }),
  });

export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

export async function send(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Shows a message for four seconds. */
export function notify(text) {
  byId('alert').textContent = text;
  byId('alert').hidden = false;
  clearTimeout(alertTimer);
  alertTimer = setTimeout(() => {
    byId('alert').hidden = true;
  }, 4000);
}

/** Announces a change to screen readers. */
export function announce(text) {
  byId('spoken').textContent = text;
}
