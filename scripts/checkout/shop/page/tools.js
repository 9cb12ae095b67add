import { WORDS } from './words.js';

export const byId = (id) => document.getElementById(id);
let language = stored();

function stored() {
  try {
    const kept = localStorage.getItem('language');
    return kept in WORDS ? kept : 'pt';
  } catch {
    return 'pt';
  }
}

export const word = (key) => WORDS[language][key];
export const locale = () => (language === 'pt' ? 'pt-PT' : 'en-GB');
export const spoken = () => language;

export function choose(chosen) {
  language = chosen;
  try {
    localStorage.setItem('language', chosen);
  } catch {
    // Private windows do not store the choice.
  }
}

export const euros = (amount) =>
  new Intl.NumberFormat('pt-PT', { style: 'currency', currency: 'EUR' }).format(amount);
export const grouped = (digits) => digits.replace(/\D/g, '').replace(/(\d{3})(?=\d)/g, '$1\u00a0');
/** Formats a time in Lisbon. */
export const dateTime = (iso) =>
  new Date(iso).toLocaleString(locale(), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Europe/Lisbon',
  });

export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Calls the shop's backend. Throws its error body, `{ code, fields }`. */
export async function ask(path, body) {
  let response;
  try {
    response = await fetch(path, {
      ...(body && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch {
    throw { code: 'OFFLINE' };
  }
  const answer = await response.json().catch(() => ({ code: 'UNREACHABLE' }));
  if (!response.ok) throw answer;
  return answer;
}
