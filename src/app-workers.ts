import { backofficeMails } from './backoffice/mails/sources.ts';
import { createRefundWorker } from './banks/workers/refund-worker.ts';
import { createBankWorkers } from './banks/workers/workers.ts';
import type { Deps } from './deps.ts';
import { createMailQueue } from './mail/queue.ts';
import type { SendMail } from './mail/transport.ts';
import { createMailWorker } from './mail/worker.ts';
import { createRefunds } from './payments/refunds/refunds.ts';
import { createSettlement } from './payments/settlement.ts';
import { shopperMails } from './payments/shopper-mails.ts';
import { Dispatcher, type DispatcherOptions } from './webhooks/delivery/dispatcher.ts';

/** Creates the workers that the service's operations wake, and adds their wake functions to `core`. */
export function createWorkers(
  core: Omit<Deps, 'queueMail' | 'wakeDispatcher' | 'wakeBankWorkers'>,
  sendMail: SendMail,
  dispatching: Pick<DispatcherOptions, 'ca' | 'transport'>,
) {
  const { db } = core;
  const deps: Deps = {
    ...core,
    queueMail: createMailQueue(core, () => {
      mailWorker.wake();
      db.cluster?.publish('mail');
    }),
    wakeDispatcher(merchantId) {
      dispatcher.wake(merchantId);
      db.cluster?.publish('deliveries');
    },
    wakeBankWorkers() {
      wakeBankWorkers();
      db.cluster?.publish('bank');
    },
  };
  const users = backofficeMails(deps);
  const sources = { ...users, kinds: { ...users.kinds, ...shopperMails(deps) } };
  const mailWorker = createMailWorker(deps, sendMail, sources);
  const dispatcher = new Dispatcher(deps, dispatching);
  const refunds = createRefunds(deps);
  const bankWorkers = createBankWorkers({ ...deps, settlement: createSettlement(deps) });
  const refundWorker = createRefundWorker({ ...deps, refunds });
  const wakeBankWorkers = () => {
    bankWorkers.wake();
    refundWorker.wake();
  };
  return { deps, mailWorker, dispatcher, refunds, bankWorkers, refundWorker, wakeBankWorkers };
}
