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

function change(next: readonly string[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
