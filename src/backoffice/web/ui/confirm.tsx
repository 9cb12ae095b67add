import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Question } from './confirm-dialog.tsx';

const load = () => import('./confirm-dialog.tsx');
/** Loaded after the page. */
const ConfirmDialog = lazy(load);

interface Props extends Question {
  /** Called before the dialog opens. */
  readonly onOpen?: () => void;
  /** The trigger: an element that takes `onClick`, or a function of `open`. */
  readonly trigger: ReactElement<{ onClick?: () => void }> | ((open: () => void) => ReactNode);
}

/** A trigger that opens a confirmation dialog. */
export function Confirm({ onOpen, trigger, ...question }: Props) {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  // The dialog returns the focus to the trigger only if it was mounted before it opens.
  const [mounted, setMounted] = useState(false);
  // On first use the connection may be gone, and the page with what was typed would give way to an error.
  useEffect(() => void load().catch(() => undefined), []);
  const open = () => {
    onOpen?.();
    setWanted(true);
    setOpened(true);
  };
  return (
    <>
      {typeof trigger === 'function' ? trigger(open) : cloneElement(trigger, { onClick: open })}
      {wanted && (
        <Suspense>
          <ConfirmDialog {...question} opened={opened && mounted} onClose={() => setOpened(false)} />
          <Mounted onMounted={setMounted} />
        </Suspense>
      )}
    </>
  );
}

/** Returns the value that a dialog showed when it opened, because its page may reload; the second result is its `onOpen`. */
export function useAsOpened<T>(now: T): [shown: T, onOpen: () => void] {
  const [shown, setShown] = useState(now);
  return [shown, () => setShown(now)];
}

/** Reports that the lazy dialog is mounted. */
function Mounted({ onMounted }: { readonly onMounted: (mounted: boolean) => void }) {
  useEffect(() => onMounted(true), [onMounted]);
  return null;
}
