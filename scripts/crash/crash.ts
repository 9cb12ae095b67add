import { setTimeout as wait } from 'node:timers/promises';
import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';
import { hasEnded, type Program, ready } from '../../test/support/program.ts';
import { until } from '../../test/support/until.ts';
import { Prng } from '../sim/prng.ts';
import { CallLog, type Shop } from './call-log.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';
import { readFinalState } from './final-state.ts';
import { GRACE_MS, type Installation, install, noteEnded, stopProcess, WINDOW_MS } from './installation.ts';
import { judge } from './judge.ts';
import { waitForMails } from './judge-mails.ts';
import { startLoad } from './load.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';

/** Every fourth round kills the service during its start, the others under load. */
const IN_START_EVERY = 4;
const IN_START_MS = [50, 900] as const;
const UNDER_LOAD_MS = [50, 3000] as const;
/** The moment of the kill counts from the first order of the round, which takes longer on a busy machine. */
const FIRST_ORDER_MAX_MS = 30_000;
/** In most rounds one endpoint is down, until deliveries end undelivered. */
const DOWN_EVERY = 8;
const DOWN_ROUNDS = 6;
const DATABASE = 'service';
/** The last acceptance by a phone is five seconds after window and grace. */
const LAST_ACCEPT_MS = WINDOW_MS + GRACE_MS + 5000 + 1000;

export interface CrashOptions {
  rounds: number;
  seed: number;
  engine?: 'sqlite' | 'postgres';
  /** Prints one line per round. */
  print(line: string): void;
}

export type CrashReport = Awaited<ReturnType<typeof runCrash>>;

/** Kills the service `rounds` times at random moments, starts it once more, and judges the final state. */
export async function runCrash({ rounds, seed, engine = 'sqlite', print }: CrashOptions) {
  return await onSite({ seed, engine }, async (site) => {
    for (let round = 1; round <= rounds; round++)
      print(`round ${round}/${rounds}  ${await killOnce(site, round)}`);
    print('the last start; waiting until everything is settled');
    site.endpoint.setDown(false);
    const service = site.installation.start();
    await ready(service, site.installation.url);
    // Repeats the calls that were not answered.
    await load(site, 0).stop();
    return await settle(site, [service]);
  });
}

/** An installation under load with everything around it. */
export interface Site {
  installation: Installation;
  endpoint: Endpoint;
  mailbox: Mailbox;
  shops: readonly Shop[];
  log: CallLog;
  seed: number;
  /** Null on SQLite. */
  server: PostgresServer | null;
}

/** Opens an endpoint, a mailbox, a database and an installation with shops, runs `work`, and closes them. */
export async function onSite<Report>(
  { seed, engine, processes = 1 }: Pick<CrashOptions, 'seed' | 'engine'> & { processes?: number },
  work: (site: Site) => Promise<Report>,
): Promise<Report> {
  const endpoint = await openEndpoint(new Prng(`${seed} endpoint`));
  const mailbox = await openMailbox(new Prng(`${seed} mailbox`));
  let server: PostgresServer | null = null;
  let installation: Installation | null = null;
  try {
    if (engine === 'postgres') server = await startPostgresServer({ durable: true });
    const database = server === null ? {} : { databaseUrl: await server.create(DATABASE) };
    installation = await install(endpoint, { ...database, processes, smtpUrl: mailbox.url });
    const shops = await createShops(installation, endpoint);
    return await work({ installation, endpoint, mailbox, shops, log: new CallLog(), seed, server });
  } finally {
    await installation?.close();
    await server?.stop();
    await Promise.all([endpoint.close(), mailbox.close()]);
  }
}

/** Waits until everything is settled, stops the processes and judges the final state. */
export async function settle(
  { installation, endpoint, mailbox: { mails }, shops, log }: Site,
  programs: readonly Program[],
) {
  await wait(LAST_ACCEPT_MS);
  const state = await readFinalState(installation, log, shops);
  await waitForMails(log, state, mails);
  for (const program of programs) await stopProcess(program, log);
  const known = new Set(state.events.map(({ id }) => id as string));
  const arrivals = endpoint.arrivals.filter(({ at, eventId }) => at < state.readAt || known.has(eventId));
  return { log, state, arrivals, mails, faults: judge(log, state, { arrivals, mails }) };
}

/**
 * Creates one shop with an endpoint, one without, one at EuPago whose endpoint is sometimes down, and one that falls back to
 * EuPago. The first and the third send mail to their customers, recover webhooks and send refund events.
 */
async function createShops({ operator, openAccount }: Installation, endpoint: Endpoint): Promise<Shop[]> {
  const create = async (webhookUrl: string | null, hasExtras: boolean): Promise<Shop> => {
    const { merchantId, apiKey } = await operator<{ merchantId: string; apiKey: string }>([
      ...['merchant', 'create', '--name', 'Shop', '--domain', 'shop.pt'],
      ...(webhookUrl === null ? [] : ['--webhook-url', webhookUrl]),
    ]);
    const on = ['auto-recover', 'customer-mails', 'refund-events'].flatMap((name) => [`--${name}`, 'true']);
    if (hasExtras) await operator(['merchant', 'set', merchantId, ...on]);
    const link = ['link', 'create', '--merchant', merchantId, '--title', 'Shop'];
    const { url } = await operator<{ url: string }>(link);
    return { merchantId, apiKey, hasEndpoint: webhookUrl !== null, hasExtras, linkUrl: url };
  };
  await openAccount('ifthenpay');
  const atEupago = await create(endpoint.unsteadyUrl, true);
  const withFallback = await create(endpoint.url, false);
  for (const { merchantId } of [atEupago, withFallback]) await openAccount('eupago', merchantId);
  for (const method of ['mbway', 'multibanco']) {
    const route = ['--method', method, '--acquirer', 'ifthenpay', '--fallback', 'eupago'];
    await operator(['bank', 'route', withFallback.merchantId, ...route]);
  }
  const plain = [await create(endpoint.url, true), await create(null, false)];
  return [...plain, atEupago, { ...withFallback, hasFallback: true }];
}

/** Runs the service and kills it. Returns a summary of the round. */
async function killOnce(site: Site, round: number): Promise<string> {
  const { installation, endpoint, log, seed } = site;
  const before = log.inits.size;
  endpoint.setDown(round % DOWN_EVERY < DOWN_ROUNDS);
  const service = installation.start();
  const inStart = round % IN_START_EVERY === 0;
  const [minMs, maxMs] = inStart ? IN_START_MS : UNDER_LOAD_MS;
  const afterMs = new Prng(`${seed} moment ${round}`).int(minMs, maxMs);
  if (inStart) await wait(afterMs);
  else {
    await ready(service, installation.url);
    const running = load(site, round);
    await until(() => hasEnded(service) || log.inits.size > before, 'the first order', FIRST_ORDER_MAX_MS);
    await wait(afterMs);
    kill(service, log);
    await running.stop();
  }
  kill(service, log);
  await service.ended;
  log.kills.push(Date.now());
  const moment = `killed ${afterMs} ms ${inStart ? 'into its start' : 'into the load'}`;
  return `${moment}  acknowledged ${log.inits.size - before}`;
}

/** Kills the service; records a fault when it had already ended. */
function kill(service: Program, log: CallLog): void {
  if (service.child.killed) return;
  noteEnded(service, log);
  service.kill('SIGKILL');
}

function load(site: Site, round: number) {
  return startLoad({ ...site.installation, ...site, round });
}
