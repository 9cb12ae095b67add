import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { Question } from './confirm-dialog.tsx';

/** Loaded on first use. */
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

interface Props extends Question {
  /** The trigger: an element that takes `onClick`, or a function of `open`. */
  readonly trigger: ReactElement<{ onClick?: () => void }> | ((open: () => void) => ReactNode);
}

/** A trigger that opens a confirmation dialog. */
export function Confirm({ trigger, ...question }: Props) {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const open = () => {
    setWanted(true);
    setOpened(true);
  };
  return (
    <>
      {typeof trigger === 'function' ? trigger(open) : cloneElement(trigger, { onClick: open })}
      {wanted && (
        <Suspense>
          <ConfirmDialog {...question} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
