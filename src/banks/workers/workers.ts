import { createHintLoop, type HintDeps } from './callbacks.ts';
import { createInquiryLoop, type InquiryDeps } from './inquiries.ts';
import { createReconcileLoop, type ReconcileDeps } from './reconciliation.ts';

/** Everything that the service asks the bank by itself, rather than for a merchant's call. */
export interface BankDesk {
  start(): void;
  /** A hint or an attempt is due now. Cheap; calls that come together cost one look. */
  wake(): void;
  /** Starts nothing more and waits for the calls that run; the bank's deadline bounds each of them. */
  stop(): Promise<void>;
}

/** The loops over callbacks, attempts and the bank's list. They share nothing, so none can hold up another. */
export function createBankDesk(deps: HintDeps & InquiryDeps & ReconcileDeps): BankDesk {
  const hints = createHintLoop(deps);
  const inquiries = createInquiryLoop(deps);
  const reconcile = createReconcileLoop(deps);
  const loops = [hints, inquiries, reconcile];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    wake() {
      hints.wake();
      inquiries.wake();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
