import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../deps.ts';

/** The deliveries due now. */
export interface QueueState {
  readonly due: number;
  /** How long the oldest of them has been due; null when none is. */
  readonly oldestDueAgeMs: number | null;
}

interface MetricsOptions {
  /** Reads the queue, once per scrape. */
  readonly queueState: () => Promise<QueueState>;
  /** Returns the size of SQLite's write-ahead log; null on PostgreSQL. */
  readonly logBytes: () => number | null;
}

export type PrometheusMetrics = Omit<Metrics, 'bankUnavailable'>;

export type MetricsRegistry = ReturnType<typeof createMetrics>;

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const EXCHANGE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15];

/** Creates the metrics in a separate registry, so that two services in one process do not share them. */
export function createMetrics(options: MetricsOptions) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'pcs_' });
  const fillGauges = queueGauges(registry, options.queueState);
  logGauge(registry, options.logBytes);
  return {
    metrics: countersIn(registry),
    queueState: options.queueState,
    async text() {
      await fillGauges();
      return registry.metrics();
    },
  };
}

function countersIn(registry: Registry): PrometheusMetrics {
  const registers = [registry];
  const requests = new Histogram({
    name: 'pcs_http_request_duration_seconds',
    help: 'HTTP requests answered, by route pattern, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const bankCalls = new Histogram({
    name: 'pcs_bank_call_duration_seconds',
    help: 'Calls to the bank, by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    buckets: EXCHANGE_SECONDS,
    registers,
  });
  const attempts = new Histogram({
    name: 'pcs_delivery_attempt_duration_seconds',
    help: 'Attempts of webhook deliveries, by outcome.',
    labelNames: ['outcome'],
    buckets: EXCHANGE_SECONDS,
    registers,
  });
  const deliveries = new Counter({
    name: 'pcs_deliveries_finished_total',
    help: 'Webhook deliveries that reached their final state.',
    labelNames: ['state'],
    registers,
  });
  const unclaimed = new Gauge({
    name: 'pcs_deliveries_unclaimed_seconds',
    help: 'How long a due webhook delivery has not been claimed although its merchant has free slots; 0 when there is none. Alert above 30.',
    registers,
  });
  const unlogged = new Counter({
    name: 'pcs_request_log_dropped_total',
    help: 'Requests missing in the request log because too many waited or the insert failed.',
    registers,
  });
  const mails = new Counter({
    name: 'pcs_mails_total',
    help: 'Emails sent, and emails given up because the server refused them, or none of their attempts succeeded.',
    labelNames: ['outcome'],
    registers,
  });
  // An alert needs the series before the first failure.
  for (const outcome of ['sent', 'failed']) mails.inc({ outcome }, 0);
  for (const state of ['delivered', 'undelivered', 'skipped']) deliveries.inc({ state }, 0);
  return {
    bankCall: (operation, outcome, seconds) => bankCalls.observe({ operation, outcome }, seconds),
    deliveryAttempt: (outcome, seconds) => attempts.observe({ outcome }, seconds),
    deliveryFinished: (state) => deliveries.inc({ state }),
    deliveriesUnclaimed: (seconds) => unclaimed.set(seconds),
    mail: (outcome) => mails.inc({ outcome }),
    requestsUnlogged: (count) => unlogged.inc(count),
    request: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
  };
}

/** Gauges that are set on every scrape from one query; NaN while the database does not respond. */
function queueGauges(registry: Registry, read: () => Promise<QueueState>): () => Promise<void> {
  const registers = [registry];
  const depth = new Gauge({
    name: 'pcs_delivery_queue_depth',
    help: 'Webhook deliveries that are due now.',
    registers,
  });
  const oldest = new Gauge({
    name: 'pcs_delivery_oldest_due_seconds',
    help: 'How long the oldest due webhook delivery has been due; 0 when none is.',
    registers,
  });
  return async () => {
    const state = await read().catch(() => ({ due: Number.NaN, oldestDueAgeMs: Number.NaN }));
    depth.set(state.due);
    oldest.set((state.oldestDueAgeMs ?? 0) / 1000);
  };
}

function logGauge(registry: Registry, read: () => number | null): void {
  if (read() === null) return;
  new Gauge({
    name: 'pcs_database_log_bytes',
    help: "Size of SQLite's write-ahead log; at most 130 MiB while checkpoints succeed. Alert above 1 GiB.",
    registers: [registry],
    collect() {
      this.set(read() ?? 0);
    },
  });
}
