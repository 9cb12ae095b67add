import type { Logger } from 'pino';
import { openSandbox, registerAtSandbox, sandboxPage, urlHost } from './app-sandbox.ts';
import { createWorkers } from './app-workers.ts';
import { backofficePlugin } from './backoffice/plugin.ts';
import { createBankAccounts, ensureSandboxAccount, listAccounts } from './banks/accounts.ts';
import { createBank } from './banks/bank.ts';
import { createOutageAlert } from './banks/workers/outage-alert.ts';
import { receiveCallback } from './banks/workers/receive-callback.ts';
import { paymentPage } from './checkout/page/plugin.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import { createServerClock } from './db/postgres/server-clock.ts';
import { lockForServer } from './db/sqlite/server-lock.ts';
import type { Deps } from './deps.ts';
import { docsRoutes } from './docs/plugin.ts';
import { createErasureJob } from './erasure/job.ts';
import { healthRoutes } from './http/health.ts';
import { listenRoute } from './http/listen.ts';
import { createMetrics, type MetricsRegistry } from './http/metrics.ts';
import { createRuntimeStats } from './http/runtime-stats.ts';
import { createHttpServer, type HttpServerOptions } from './http/server.ts';
import { claimIdentity, claimIn } from './installation/identity.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { errorText } from './kernel/errors.ts';
import { createIds } from './kernel/ids.ts';
import type { PeriodicJob } from './kernel/periodic.ts';
import { systemRandom } from './kernel/random.ts';
import { createSecretBox } from './kernel/secret-box.ts';
import { createLogger } from './log.ts';
import { createMailTransport } from './mail/transport.ts';
import { createDeadlines } from './payments/deadlines.ts';
import { createRequestLog, type RequestLog } from './requests/log.ts';
import { createRetention } from './retention/retention.ts';
import { operations } from './router.ts';
import { clearFutureIndex, createSearchIndexer, warnOfSlowSearch } from './search/indexer.ts';
import { VERSION } from './version.ts';
import { queueState } from './webhooks/delivery/due-store.ts';
import { createAutoRecovery } from './webhooks/recovery/auto-recovery.ts';

/** Replacements for tests, and what the caller adds to the start. */
export interface Overrides {
  /** Runs when the database is ready, before the service accepts requests. */
  beforeListening?: (deps: Deps) => Promise<void>;
  clock?: Clock;
  log?: Logger;
  /** Trusted CA certificates (PEM) for deliveries, instead of Node's. */
  webhookCa?: string;
  /** See `Deps.passwordCost`. */
  passwordCost?: number;
  limits?: HttpServerOptions['limits'];
}

export interface App {
  readonly deps: Deps;
  /** The listener's URL, without a trailing slash and without /api/v1. */
  readonly url: string;
  /** The sandbox's URL; null with a real bank. */
  readonly sandboxUrl: string | null;
  close(): Promise<void>;
}

/** Close functions in the order of the start; they run in reverse. */
type Closers = (() => Promise<void>)[];

/** Creates all parts of the service and starts them. Throws OperatorError when the database or a port cannot be used. */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const { settings, secrets } = config;
  const closers: Closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const { base, metrics, sandboxUrl } = await openBase(config, overrides, closers);
    const lock = lockForServer(secrets.databaseUrl);
    closers.push(async () => lock.release());
    // After the lock: a refused start must not count as one with a new key, which a running service does not know.
    const keys = await claimIdentity(base, { start: true });
    logKeyRotation(base.log, keys, base.box.hasPrevious);
    const bank = createBank(base, { sandboxUrl, acquirerUrls: settings.acquirerUrls });
    closers.push(() => bank.close());
    let url = '';
    const core = { ...base, bank, bankAccounts: createBankAccounts(base), serviceUrl: () => url };
    const sendMail = createMailTransport({ clock: base.clock, smtpUrl: secrets.smtpUrl, sandboxUrl });
    const workers = createWorkers(core, sendMail, { ca: overrides.webhookCa });
    const { deps, dispatcher, bankWorkers, refundWorker, mailWorker } = workers;
    if (sandboxUrl !== null) await ensureSandboxAccount(deps);
    await overrides.beforeListening?.(deps);

    const requestLog = createRequestLog(deps);
    const stopStreams = new AbortController();
    const stopping = stopStreams.signal;
    const server = createServer(config, workers, { ...overrides, metrics, requestLog, stopping });
    const address = await server.listen(settings.host, settings.port);
    const listener = `http://${urlHost(address.host)}:${address.port}`;
    url = settings.publicUrl ?? listener;

    deps.db.cluster?.subscribe('bank', workers.wakeBankWorkers);
    deps.db.cluster?.subscribe('mail', mailWorker.wake);
    startAll(
      [
        dispatcher,
        bankWorkers,
        refundWorker,
        createDeadlines(deps),
        createErasureJob(deps),
        createRetention(deps),
        createSearchIndexer(deps),
        requestLog,
        createAutoRecovery(deps),
        ...(settings.mail ? [mailWorker, createOutageAlert(deps)] : []),
      ],
      closers,
    );
    closers.push(async () => {
      // Event streams would keep the server open.
      stopStreams.abort();
      await server.close();
    });
    if (sandboxUrl !== null) registerAtSandbox(deps, url, closers);
    logStart(deps, config, listener);
    await warnWithoutCredentials(deps);
    await clearFutureIndex(deps);
    await warnOfSlowSearch(deps);
    return { deps, url, sandboxUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function createServer(
  { settings, secrets }: Config,
  { deps, refunds, dispatcher }: ReturnType<typeof createWorkers>,
  {
    metrics,
    requestLog,
    stopping,
    limits = {},
  }: Pick<Overrides, 'limits'> & { metrics: MetricsRegistry; requestLog: RequestLog; stopping: AbortSignal },
) {
  return createHttpServer({
    limits,
    deps,
    operations,
    requestLog,
    receiveCallback: (acquirer, request) => receiveCallback({ ...deps, refunds }, acquirer, request),
    plugins: [
      paymentPage({ deps }),
      docsRoutes({ ...settings, sandboxPage: deps.sandboxUrl }),
      backofficePlugin({ deps }),
      listenRoute({ deps, stopping }),
      healthRoutes({
        deps,
        metrics,
        metricsToken: secrets.metricsToken,
        version: VERSION,
        dispatcherAlive: () => dispatcher.isAlive(),
      }),
    ],
  });
}

/** Opens the database, claims it for these settings, and starts the embedded sandbox. */
async function openBase({ settings, secrets }: Config, overrides: Overrides, closers: Closers) {
  const random = systemRandom;
  const log = overrides.log ?? createLogger(settings);
  const box = createSecretBox(secrets.secretKey, random, secrets.previousSecretKey);
  const db = await openDatabase(secrets.databaseUrl, {
    check: true,
    checkpointThread: {
      failed(error) {
        log.warn(
          { detail: errorText(error) },
          'WAL checkpoint thread failed: checkpoints run on the main thread until the next start',
        );
      },
    },
    directUrl: secrets.databaseDirectUrl,
    // A start that is refused, because another service runs or for its settings, must not upgrade the schema.
    async beforeUpgrade(tx) {
      lockForServer(secrets.databaseUrl).release();
      await claimIn(tx, { box, settings });
    },
    onMigrated({ from, applied }) {
      if (from > 0 && applied.length > 0) log.info({ applied }, 'schema migrated');
      if (from === 0 && settings.bank !== 'sandbox') {
        log.warn(
          'a new, empty database was created; if this service has had a database, stop it and check SERVICE_DATABASE_URL, or restore a backup',
        );
      }
    },
  });
  closers.push(() => db.close());
  const clock = overrides.clock ?? (await openClock(db, log, closers));
  await claimIdentity({ db, box, settings });

  const sandboxUrl = await openSandbox(settings, { clock, random, log, db }, closers);
  const metrics = createMetrics({
    queueState: () => queueState(db.read, clock.now()),
    logBytes: () => db.logBytes(),
  });
  const runtimeStats = createRuntimeStats(clock);
  const base = {
    db,
    clock,
    random,
    log,
    box,
    settings,
    ids: createIds(clock, random),
    metrics: runtimeStats.metrics(metrics.metrics),
    runtimeStats,
    ...(sandboxUrl !== null && { sandboxUrl: sandboxPage(settings, sandboxUrl) }),
    ...(overrides.passwordCost !== undefined && { passwordCost: overrides.passwordCost }),
  };
  return { base, metrics, sandboxUrl };
}

/** The system's clock; on PostgreSQL, the clock that all processes of the database share. */
async function openClock(db: Database, log: Logger, closers: Closers): Promise<Clock> {
  if (db.cluster === null) return systemClock;
  const { clock, job } = await createServerClock(db, systemClock, (differenceMs) =>
    log.warn(
      { differenceMs },
      "the clock of this machine differs from the database server's, whose time is used; synchronise both with NTP",
    ),
  );
  startAll([job], closers);
  return clock;
}

/** Starts the periodic jobs. They stop in parallel. */
function startAll(workers: readonly Pick<PeriodicJob, 'start' | 'stop'>[], closers: Closers): void {
  for (const worker of workers) worker.start();
  closers.push(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  });
}

function logKeyRotation(log: Logger, keys: 'settled' | 'changing', hasPrevious: boolean): void {
  if (keys === 'changing') {
    log.warn(
      'secret key rotation is incomplete: run "secrets rotate", and keep SERVICE_SECRET_KEY_PREVIOUS until it is complete',
    );
  } else if (hasPrevious) {
    log.info('SERVICE_SECRET_KEY_PREVIOUS is no longer used: remove it');
  }
}

/** Logs what was started. With the sandbox, the start prints its addresses instead. */
function logStart({ log, settings }: Deps, { warnings }: Config, listener: string): void {
  for (const { fields, message } of warnings) log.warn(fields, message);
  const { bank, databaseUrl, publicUrl } = settings;
  if (bank === 'sandbox') return;
  const database = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  log.info({ version: VERSION, bank, database, listener, publicUrl }, 'service started');
}

async function warnWithoutCredentials(deps: Deps): Promise<void> {
  if (deps.settings.bank === 'sandbox' || (await listAccounts(deps)).length > 0) return;
  deps.log.warn('no bank credentials: method steps answer 502 BANK_UNAVAILABLE until "bank set" is run');
}
