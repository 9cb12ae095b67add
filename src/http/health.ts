import { once } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { isOwnMachine } from '../kernel/own-machine.ts';
import { isSameSecret } from '../kernel/secret-box.ts';
import { bearerToken } from '../rpc/authenticate.ts';
import type { MetricsRegistry } from './metrics.ts';

/** How long the database may take to answer before the service counts as unready. */
const PROBE_TIMEOUT_MS = 2000;

export interface HealthOptions {
  readonly deps: Pick<Deps, 'clock' | 'log'>;
  readonly metrics: Pick<MetricsRegistry, 'text' | 'queueState'>;
  /** SERVICE_METRICS_TOKEN; null when only loopback clients may read the metrics. */
  readonly metricsToken: string | null;
  readonly version: string;
  /** Whether the dispatcher polls for due deliveries. */
  readonly dispatcherAlive: () => boolean;
}

/** GET /healthz, /readyz (200 or 503) and /metrics. Metrics and the detail of /readyz require loopback or the metrics token. */
export function healthRoutes(options: HealthOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    server.get('/healthz', async () => ({ status: 'ok', version: options.version }));
    server.get('/readyz', async (request, reply) => {
      const readiness = await readReadiness(options);
      reply.code(readiness.status === 'ready' ? 200 : 503);
      return mayRead(request, options.metricsToken) ? readiness : { status: readiness.status };
    });
    server.get('/metrics', async (request, reply) => {
      if (!mayRead(request, options.metricsToken)) return refuse(request, reply);
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await options.metrics.text());
    });
  };
}

async function readReadiness({ deps, metrics, dispatcherAlive }: HealthOptions) {
  const dispatcher = { ok: dispatcherAlive() };
  let database: { ok: boolean; error?: string } = { ok: true };
  // A backlog does not make the process unready: one merchant's hanging endpoint must not stop the service for all merchants.
  let deliveries: { due: number | null; oldestDueAgeMs: number | null } = { due: null, oldestDueAgeMs: null };
  try {
    const deadline = deps.clock.deadline(PROBE_TIMEOUT_MS);
    const late = once(deadline, 'abort').then(() => Promise.reject(deadline.reason));
    const { due, oldestDueAgeMs } = await Promise.race([metrics.queueState(), late]);
    deliveries = { due, oldestDueAgeMs };
  } catch (error) {
    deps.log.warn({ detail: errorText(error) }, 'not ready: the database does not respond');
    database = { ok: false, error: errorText(error) };
  }
  const status = dispatcher.ok && database.ok ? 'ready' : 'unready';
  return { status, checks: { database, dispatcher, deliveries } };
}

function mayRead(request: FastifyRequest, token: string | null): boolean {
  const sent = bearerToken(request.headers.authorization);
  return (token !== null && sent !== undefined && isSameSecret(sent, token)) || isOwnMachine(request);
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(403).header('link', request.server.errorHelp('UNAUTHORIZED')).send({
    error:
      'The metrics are for the machine of the service. From elsewhere send the metrics token: Authorization: Bearer <SERVICE_METRICS_TOKEN>.',
    code: 'UNAUTHORIZED',
    requestId: request.id,
  });
}
