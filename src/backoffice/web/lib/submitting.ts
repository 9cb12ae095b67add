import type { FormEvent } from 'react';

/** Forms whose work has not ended: it may go on after the call that disables the button. */
const busy = new WeakSet<EventTarget>();

/** Returns the submit handler of a form, which does nothing while its work runs. The form shows the error of `work`. */
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
