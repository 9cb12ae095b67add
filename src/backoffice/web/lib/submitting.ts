import type { FormEvent } from 'react';

/** Forms and buttons whose work has not ended: a second click can come before React disables the button. */
const busy = new WeakSet<EventTarget>();

/** Returns the handler of a form or a button, which does nothing while its work runs. The caller shows the error of `work`. */
export function submitting(work: () => Promise<unknown>, onFailure?: () => void) {
  return (event: FormEvent): void => {
    event.preventDefault();
    // React passes the event of a dialog on to the form that opened it.
    event.stopPropagation();
    const form = event.currentTarget;
    if (busy.has(form)) return;
    busy.add(form);
    work()
      .catch(() => onFailure?.())
      .finally(() => busy.delete(form));
  };
}
