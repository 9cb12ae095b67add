import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react';

interface Props {
  /** An element that takes `onClick`. */
  readonly trigger: ReactElement<{ onClick?: () => void }>;
  /** The dialog, which exists while it is open; it may be loaded on first use. */
  readonly children: (close: () => void) => ReactNode;
}

/** A trigger that opens a dialog. */
export function Opener({ trigger, children }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {cloneElement(trigger, { onClick: () => setOpened(true) })}
      <Suspense>{opened && children(() => setOpened(false))}</Suspense>
    </>
  );
}
