import { creditTransaction } from '../payments/credit.ts';
import { releaseTransaction } from '../payments/release.ts';
import { showTransaction } from '../payments/show.ts';
import { transactionEvents } from '../webhooks/history.ts';
import type { Run } from './command.ts';

export const show: Run = async (deps, input) => {
  const id = input.id('tx', 0);
  const shown = await showTransaction(deps, id);
  return { value: { ...shown, ...(await transactionEvents(deps.db.read, id)) } };
};

export const release: Run = async (deps, input) => ({
  value: await releaseTransaction(deps, input.id('tx', 0)),
});

export const credit: Run = async (deps, input) => ({
  value: await creditTransaction(deps, input.id('tx', 0)),
});
