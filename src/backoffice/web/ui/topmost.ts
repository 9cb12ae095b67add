import { useEffect, useId, useSyncExternalStore } from 'react';

/** The open dialogs and drawers, the topmost one last. */
let open: readonly string[] = [];
const listeners = new Set<() => void>();

/** Returns whether this open dialog or drawer is above all others; Escape closes that one only. */
export function useTopmost(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    change([...open, id]);
    return () => change(open.filter((each) => each !== id));
  }, [opened, id]);
  return useSyncExternalStore(subscribe, () => open.at(-1) === id);
}

/** Longer than the library takes to fade a dialog out and to return the focus. */
const CLOSED_MS = 300;
let returning: number | undefined;
/** The control that has the focus, or lost it because it is busy, disabled or removed. */
let focused: Control | null = null;
/** What opened each dialog since the page last had none, and the section that it was in; the last dialog first. */
let openers: readonly (Element | null | undefined)[] = [];

/**
 * After a dialog closes, focuses what opened it. When that is gone, its section, the dialog below, what opened an earlier dialog,
 * or the page.
 */
export function useReturnFocus(opened: boolean): void {
  useEffect(() => {
    if (!opened) return;
    // A dialog that opens takes the focus itself.
    window.clearTimeout(returning);
    const opener = document.activeElement === document.body ? focused : document.activeElement;
    const section = opener?.closest('section');
    const earlier = openers;
    openers = [opener, section, ...earlier];
    return () => {
      window.clearTimeout(returning);
      returning = window.setTimeout(() => {
        if (open.length === 0) openers = [];
        const below = [...document.querySelectorAll('[role=dialog]')].at(-1);
        for (const place of [opener, section, below, ...earlier, document.querySelector('main')]) {
          if (document.activeElement !== document.body) return;
          if (!(place instanceof HTMLElement)) continue;
          if (place.tagName === 'SECTION') place.tabIndex = -1;
          place.focus({ preventScroll: true });
        }
      }, CLOSED_MS);
    };
  }, [opened]);
}

type Control = HTMLButtonElement | HTMLInputElement | HTMLTextAreaElement;

/** Gives the focus a place when a button or a field loses it because it is busy, disabled or removed. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    focused =
      target instanceof Element && target.matches('button, input, textarea') ? (target as Control) : null;
  });
  // The user moved on, unless the control is gone when the event is over.
  document.addEventListener('focusout', ({ target }) => {
    queueMicrotask(() => {
      if (focused === target && focused?.isConnected && !focused.disabled) focused = null;
    });
  });
  new MutationObserver(() => {
    if (focused === null || document.activeElement !== document.body) return;
    placeAfter(focused)?.focus({ preventScroll: true });
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'data-loading'],
  });
}

/** Returns a control that is enabled again, else the first field of its form or section; after a removed one, its dialog or page. */
function placeAfter(control: Control): HTMLElement | null | undefined {
  if (!control.isConnected) {
    // `useReturnFocus` follows a dialog that was removed with its controls.
    if (control.closest('[role=dialog]') !== null) return null;
    return [...document.querySelectorAll<HTMLElement>('main, [role=dialog]')].at(-1);
  }
  if (control.dataset.loading !== undefined) return null;
  if (!control.disabled) return control;
  return (control.form ?? control.closest('section'))?.querySelector<HTMLElement>('input, textarea');
}

function change(next: readonly string[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
