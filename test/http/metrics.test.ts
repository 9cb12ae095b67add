import { expect, test } from 'vitest';
import { createMetrics } from '../../src/http/metrics.ts';

const nothing = { queueState: async () => ({ due: 0, oldestDueAgeMs: null }), logBytes: () => null };

test('every metric has the prefix pcs_ and its labels', async () => {
  const { metrics, text } = createMetrics({
    queueState: async () => ({ due: 3, oldestDueAgeMs: 1500 }),
    logBytes: () => 4096,
  });
  metrics.request('/api/v1/payments/init', 'POST', 200, 0.004);
  metrics.bankCall('createPush', 'accepted', 0.2);
  metrics.deliveryAttempt('failed', 8);
  metrics.deliveryFinished('delivered');
  metrics.deliveriesUnclaimed(42);
  metrics.rowsPruned('idempotency', 7);
  const body = await text();
  for (const line of [
    'pcs_http_request_duration_seconds_count{route="/api/v1/payments/init",method="POST",status="200"} 1',
    'pcs_bank_call_duration_seconds_sum{operation="createPush",outcome="accepted"} 0.2',
    'pcs_delivery_attempt_duration_seconds_bucket{le="8",outcome="failed"} 1',
    'pcs_deliveries_finished_total{state="delivered"} 1',
    'pcs_deliveries_finished_total{state="undelivered"} 0',
    'pcs_deliveries_unclaimed_seconds 42',
    'pcs_rows_pruned_total{table="idempotency"} 7',
    'pcs_delivery_queue_depth 3',
    'pcs_delivery_oldest_due_seconds 1.5',
    'pcs_database_log_bytes 4096',
    'pcs_process_cpu_seconds_total',
  ]) {
    expect(body).toContain(line);
  }
  for (const name of body.matchAll(/^# TYPE (\S+)/gm)) expect(name[1]).toMatch(/^pcs_/);
});

test('the counters are available while the database does not answer', async () => {
  const { metrics, text } = createMetrics({
    ...nothing,
    queueState: () => Promise.reject(new Error('gone')),
  });
  metrics.deliveryFinished('delivered');
  const body = await text();
  expect(body).toMatch(/pcs_delivery_queue_depth nan/i);
  expect(body).toContain('pcs_deliveries_finished_total{state="delivered"} 1');
});
