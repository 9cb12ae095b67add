import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { Question } from './confirm-dialog.tsx';

/** Fetched with the first question: a page is shown without it. */
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

interface Props extends Question {
  /** What opens the dialog: an element that takes `onClick`, or a function of the opener. */
  readonly trigger: ReactElement<{ onClick?: () => void }> | ((open: () => void) => ReactNode);
}

/** Asks before something is done. */
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
