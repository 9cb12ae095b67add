import type { FormEvent } from 'react';

/** Returns the submit handler of a form that shows the error of the work itself. */
export function submitting(work: () => Promise<unknown>, onFailure?: () => void) {
  return (event: FormEvent): void => {
    event.preventDefault();
    // React passes the event of a dialog on to the form that opened it.
    event.stopPropagation();
    work().catch(() => onFailure?.());
  };
}
