import { byId, element, timeText } from './tools.js';

/** Polls `path` and shows what `render` makes of it in a list; an error is null. Unchanged, opened details and the focus stay. */
export function createFeed(path, list, render) {
  let shown = '';
  return {
    /** Makes the next poll render everything, in the new language. */
    reset() {
      shown = '';
    },
    async poll() {
      try {
        const response = await fetch(path);
        const text = await response.text();
        if (text === shown) return;
        shown = text;
        const details = () => [...byId(list).querySelectorAll('details')];
        const opened = new Set(details().flatMap((node) => (node.open ? node.dataset.key : [])));
        byId(list).replaceChildren(...render(response.ok ? JSON.parse(text) : null));
        for (const node of details()) node.open = opened.has(node.dataset.key);
      } catch {
        // The phone reports an unavailable bank.
      }
    },
  };
}

/** An item of a list: who, when, and what. */
export function entry(kind, who, at, what) {
  const made = element('li', kind);
  const head = element('div', 'step');
  head.append(
    element('span', 'who', who),
    element('time', '', timeText(at, true)),
    element('p', 'what', what),
  );
  made.append(head);
  return made;
}
