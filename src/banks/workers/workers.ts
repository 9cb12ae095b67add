import { createAvailability } from './availability.ts';
import { type CallbackWorkerDeps, createCallbackWorker } from './callback-worker.ts';
import { createInquiryWorker, type InquiryWorkerDeps } from './inquiry-worker.ts';
import { createReconciler, type ReconcilerDeps } from './reconciler.ts';

export type BankWorkers = ReturnType<typeof createBankWorkers>;

/** Creates the workers for callbacks, inquiries and reconciliation. They share no work, so none can block another. */
export function createBankWorkers(
  deps: Omit<CallbackWorkerDeps, 'inquiries'> & InquiryWorkerDeps & ReconcilerDeps,
) {
  const availability = createAvailability(deps, 'inquiries');
  const callbacks = createCallbackWorker({ ...deps, inquiries: availability });
  const inquiries = createInquiryWorker(deps, availability);
  const workers = [callbacks, inquiries, createReconciler(deps)];
  return {
    start() {
      for (const worker of workers) worker.start();
    },
    /** Checks for due callbacks and attempts now. Cheap; concurrent calls cause one check. */
    wake() {
      callbacks.wake();
      inquiries.wake();
    },
    /** Starts no further task and waits for the running ones. A running list read is finished, unless the bank fails. */
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
