import type { Deps } from '../../deps.ts';
import type { Outcome } from './record.ts';

/** Tells the operator how an attempt ended: the metrics always, the log when it failed. */
export function tellAttempt({ log, metrics }: Pick<Deps, 'log' | 'metrics'>, outcome: Outcome): void {
  const { attempt, result } = outcome;
  metrics.deliveryAttempt(result.error === null ? 'delivered' : 'failed', result.durationMs / 1000);
  if (result.error === null) return;
  const { id, merchant_id } = attempt.delivery;
  const facts = { deliveryId: id, merchantId: merchant_id, number: attempt.number, status: result.status };
  log.warn({ ...facts, detail: result.errorDetail ?? result.error }, 'a delivery attempt failed');
}
