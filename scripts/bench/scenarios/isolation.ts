import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Bar, BenchError, type Experiment, type Findings } from '../contest.ts';
import { host } from '../host.ts';
import type { SenderOrder } from '../isolation/sender.ts';
import { progress } from '../progress.ts';
import { median, quantile, spread } from '../statistics.ts';

const HANGING_MERCHANTS = 50;
const BACKLOG_EACH = 60;
const INTERVAL_MS = 10;
/** Twice the deadline of an attempt, so that every round sees attempts of the hanging endpoints end and begin anew. */
const MEASURE_SECONDS_MIN = 17;
const SETTLE_SECONDS = 2;
/** Seventeen of 1,700 events decide a round: one differs from the next by a quarter, the median of nine from the next by a tenth. */
const MORE_ROUNDS = 10;
/** How much the hanging endpoints may add to the healthy merchant's p99. */
const BAR: Bar = { better: 'lower', floor: 1.2, target: 1.05 };
/** Beyond the measured time, for filling the queues. */
const FINISH_MS_MAX = 120_000;
/** The longest that an event may be on its way: an attempt and the next one. */
const ARRIVE_MS_MAX = 20_000;
const ASK_AGAIN_MS = 50;

/**
 * One healthy merchant, 100 events a second, from commit to arrival; alone, and beside 50 merchants whose endpoint
 * accepts and never answers. Every run has a new database and new processes.
 */
export const isolation: Experiment = {
  name: 'isolation',
  async run(folder, options) {
    const smoke = options.seconds < 1;
    const seconds = smoke ? options.seconds : Math.max(MEASURE_SECONDS_MIN, options.seconds);
    const roundsMax = smoke ? options.rounds : options.rounds + MORE_ROUNDS;
    const rounds: { alone: Float64Array; beside: Float64Array }[] = [];
    const measure = (label: string, hangingMerchants: number) =>
      run(join(folder, `isolation-${label}.db`), hangingMerchants, seconds, smoke);
    for (let round = 0; round < roundsMax; round++) {
      progress(`isolation: round ${round + 1} of ${roundsMax}`);
      // The order turns with the rounds, so that neither always follows the other.
      const first = round % 2 === 0;
      const early = await measure(`${round}-a`, first ? 0 : HANGING_MERCHANTS);
      const late = await measure(`${round}-b`, first ? HANGING_MERCHANTS : 0);
      rounds.push(first ? { alone: early, beside: late } : { alone: late, beside: early });
    }
    return table(rounds, seconds);
  },
};

async function run(
  file: string,
  hangingMerchants: number,
  seconds: number,
  smoke: boolean,
): Promise<Float64Array> {
  const children = { answering: child('receiver'), hanging: child('receiver'), sender: child('sender') };
  try {
    const answering = await message<{ port: number; ca: string }>(children.answering);
    const hanging = await message<{ port: number; ca: string }>(children.hanging);
    const order: SenderOrder = {
      file,
      ca: `${answering.ca}\n${hanging.ca}`,
      healthyUrl: `https://127.0.0.1:${answering.port}/answer`,
      hangingUrl: `https://127.0.0.1:${hanging.port}/hang`,
      hangingMerchants,
      backlogEach: BACKLOG_EACH,
      settleMs: (smoke ? 0.2 : SETTLE_SECONDS) * 1000,
      measureMs: seconds * 1000,
      intervalMs: INTERVAL_MS,
    };
    children.sender.send(order);
    const commits = await message<[string, number][]>(children.sender, seconds * 1000 + FINISH_MS_MAX);
    const arrivals = await arrivalsOf(children.answering, commits);
    children.hanging.send('report');
    const { hanging: held } = await message<{ hanging: number }>(children.hanging);
    if (hangingMerchants > 0 && held < hangingMerchants) {
      throw new BenchError(`only ${held} requests hang, of ${hangingMerchants} merchants`);
    }
    return host.durations(commits.map(([id, from]) => ({ from, until: arrivals.get(id) ?? Number.NaN })));
  } finally {
    for (const process of Object.values(children)) process.kill('SIGKILL');
  }
}

function child(name: 'receiver' | 'sender'): ChildProcess {
  return fork(fileURLToPath(new URL(`../isolation/${name}.ts`, import.meta.url)), { execArgv: [] });
}

async function message<T>(from: ChildProcess, withinMs = FINISH_MS_MAX): Promise<T> {
  const ended = new AbortController();
  from.once('exit', () => ended.abort());
  try {
    const [said] = await once(from, 'message', {
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(withinMs)]),
    });
    return said as T;
  } catch {
    throw new BenchError(`${from.spawnargs.at(-1)} ended or said nothing`);
  }
}

/** When each delivery arrived; the last ones may still be on their way when it is asked first. Throws when one does not come. */
async function arrivalsOf(
  receiver: ChildProcess,
  commits: readonly [string, number][],
): Promise<ReadonlyMap<string, number>> {
  for (const end = performance.now() + ARRIVE_MS_MAX; ; await wait(ASK_AGAIN_MS)) {
    receiver.send('report');
    const arrivals = new Map((await message<{ arrivals: [string, number][] }>(receiver)).arrivals);
    const missing = commits.filter(([id]) => !arrivals.has(id)).length;
    if (missing === 0) return arrivals;
    if (performance.now() > end)
      throw new BenchError(`${missing} deliveries of the healthy merchant did not arrive`);
  }
}

function table(rounds: readonly { alone: Float64Array; beside: Float64Array }[], seconds: number): Findings {
  const p = (share: number, of: 'alone' | 'beside') =>
    median(rounds.map((round) => quantile(round[of], share)));
  const ratios = rounds.map(({ alone, beside }) => quantile(beside, 0.99) / quantile(alone, 0.99));
  const row = (of: 'alone' | 'beside') =>
    `p50 ${p(0.5, of).toFixed(2)} ms, p99 ${p(0.99, of).toFixed(2)} ms, p99.9 ${p(0.999, of).toFixed(2)} ms`;
  return {
    text: [
      `isolation: commit to arrival, ${1000 / INTERVAL_MS} events/s, ${rounds.length} rounds of ${seconds} s each, in turn`,
      `  alone:                        ${row('alone')}`,
      `  beside ${HANGING_MERCHANTS} endpoints that hang: ${row('beside')}`,
    ].join('\n'),
    ratios: [
      {
        scenario: isolation.name,
        name: `a healthy merchant's p99, beside ${HANGING_MERCHANTS} that hang / alone`,
        ...spread(ratios),
        bar: BAR,
      },
    ],
    figures: [],
  };
}
