import { creditTransaction } from '../payments/exceptions/credit-transaction.ts';
import { releaseTransaction } from '../payments/release.ts';
import { showTransaction } from '../payments/show.ts';
import { transactionEvents } from '../webhooks/history.ts';
import type { Run } from './command.ts';

export const show: Run = async (deps, input) => {
  const id = input.id('tx', 0);
  const shown = await showTransaction(deps, id);
  const { events, deliveries } = await transactionEvents(deps.db.read, id);
  const value = { ...shown, events: events.map(asAgreed), deliveries: deliveries.map(asAgreed) };
  if (deliveries.every((delivery) => delivery.attemptsForgotten === undefined)) return { value };
  const days = deps.settings.deliveryAttemptDays;
  return {
    value,
    note: `The details of delivery attempts are kept for ${days} days; attemptsForgotten counts those that are older.`,
  };
};

/** This command's members are agreed with programs that read them; the numbers are told by `event export`. */
function asAgreed<T extends { sequence: number | null }>({ sequence: _, ...agreed }: T): Omit<T, 'sequence'> {
  return agreed;
}

export const release: Run = async (deps, input) => ({
  value: await releaseTransaction(deps, input.id('tx', 0)),
});

export const credit: Run = async (deps, input) => ({
  value: await creditTransaction(deps, input.id('tx', 0)),
});
