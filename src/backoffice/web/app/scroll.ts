import { useEffect } from 'react';

const SAVE_AFTER_MS = 150;
/** The time limit for a page to become as tall as it was. */
const RESTORE_MS_MAX = 5_000;

/** Starts a new page at the top; after Back or a reload, restores the scroll position. */
export function useScroll(location: string): void {
  useEffect(saveScroll, []);
  useEffect(() => {
    if (location !== '') return restore(Number(history.state?.scrollY ?? 0));
  }, [location]);
}

let restoring = false;

/** Keeps the scroll position in the history entry. */
function saveScroll(): () => void {
  history.scrollRestoration = 'manual';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!restoring && history.state?.scrollY !== window.scrollY)
      history.replaceState({ ...history.state, scrollY: window.scrollY }, '');
  };
  const onScroll = () => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  const onLeave = () => {
    if (timer !== undefined) save();
  };
  // A new entry must not get the position of the one before it.
  const onEntry = () => clearTimeout(timer);
  const events = [
    ['scroll', onScroll],
    ['pagehide', onLeave],
    ['popstate', onEntry],
    ['pushState', onEntry],
  ] as const;
  for (const [name, listener] of events) window.addEventListener(name, listener, { passive: true });
  window.addEventListener('click', onLeave, { capture: true });
  return () => {
    for (const [name, listener] of events) window.removeEventListener(name, listener);
    window.removeEventListener('click', onLeave, { capture: true });
    clearTimeout(timer);
  };
}

/** Scrolls to `top` as soon as the page is tall enough, unless the user scrolls first. */
function restore(top: number): () => void {
  const stop = () => {
    restoring = false;
    clearTimeout(timer);
    observer.disconnect();
    for (const name of USER_EVENTS) window.removeEventListener(name, stop);
  };
  const step = () => {
    window.scrollTo(0, top);
    if (Math.abs(window.scrollY - top) <= 1) stop();
  };
  const observer = new ResizeObserver(step);
  const timer = setTimeout(stop, RESTORE_MS_MAX);
  for (const name of USER_EVENTS) window.addEventListener(name, stop, { passive: true });
  restoring = true;
  observer.observe(document.body);
  step();
  return stop;
}

const USER_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;
