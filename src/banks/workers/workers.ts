import { type CallbackWorkerDeps, createCallbackWorker } from './callback-worker.ts';
import { createInquiryWorker, type InquiryWorkerDeps } from './inquiry-worker.ts';
import { createReconciler, type ReconcilerDeps } from './reconciler.ts';

/** Everything that the service asks the bank on its own, without a merchant's call. */
export interface BankWorkers {
  start(): void;
  /** Checks now for due callbacks and attempts. Cheap; concurrent calls cause one check. */
  wake(): void;
  /** Starts nothing more and waits for the calls under way; the bank's time-out bounds each of them. */
  stop(): Promise<void>;
}

/** Creates the workers for callbacks, inquiries and reconciliation. They share nothing, so none can block another. */
export function createBankWorkers(
  deps: CallbackWorkerDeps & InquiryWorkerDeps & ReconcilerDeps,
): BankWorkers {
  const callbacks = createCallbackWorker(deps);
  const inquiries = createInquiryWorker(deps);
  const workers = [callbacks, inquiries, createReconciler(deps)];
  return {
    start() {
      for (const worker of workers) worker.start();
    },
    wake() {
      callbacks.wake();
      inquiries.wake();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
