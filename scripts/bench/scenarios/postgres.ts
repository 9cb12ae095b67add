import { join } from 'node:path';
import type { Experiment, Findings, Job } from '../contest.ts';
import { sendRound } from '../deliveries/contest.ts';
import { readJob, writeJob } from '../growth/jobs.ts';
import { runLoad } from '../load.ts';
import type { Options } from '../options.ts';
import { startPostgres } from '../postgres/server.ts';
import { openSite, type PostgresSite } from '../postgres/site.ts';
import { progress } from '../progress.ts';
import { launch, type RunningService } from '../service.ts';
import { type Sink, startSink } from '../sink.ts';
import { median, spread } from '../statistics.ts';
import { aligned, whole } from '../text.ts';

const NAME = 'postgres';
const WORKS = ['init', 'status', 'deliveries'] as const;
type Work = (typeof WORKS)[number];
type Rates = Readonly<Record<Work, number>>;
const DELIVERIES_FIRST = 2000;
const DELIVERIES_SMOKE = 30;
const STATUS_IDS = 500;

/** Init, status and deliveries on PostgreSQL with fsync, by one process and by two on the same server. */
export const postgres: Experiment = {
  name: NAME,
  async run(folder, options) {
    const sink = await startSink(folder);
    const server = await startPostgres();
    try {
      const site = await openSite(join(folder, NAME), await server.create('service'), sink);
      const contest = new Contest(site, sink, options);
      const rounds: { one: Rates; two: Rates }[] = [];
      for (let round = options.smoke ? 0 : -1; round < options.rounds; round++) {
        progress(round < 0 ? `${NAME}: warming up` : `${NAME}: round ${round + 1} of ${options.rounds}`);
        // The order turns with the rounds, so that neither always follows the other.
        const early = await contest.measure(round % 2 === 0 ? 1 : 2);
        const late = await contest.measure(round % 2 === 0 ? 2 : 1);
        if (round >= 0) rounds.push(round % 2 === 0 ? { one: early, two: late } : { one: late, two: early });
      }
      await site.verifyStored(contest.made);
      await site.close();
      return findings(rounds, options);
    } finally {
      await server.stop();
      await sink.stop();
    }
  },
};

class Contest {
  readonly made: string[] = [];
  readonly #site: PostgresSite;
  readonly #sink: Sink;
  readonly #options: Options;
  #sent = 0;
  #next: number;

  constructor(site: PostgresSite, sink: Sink, options: Options) {
    this.#site = site;
    this.#sink = sink;
    this.#options = options;
    this.#next = options.smoke ? DELIVERIES_SMOKE : DELIVERIES_FIRST;
  }

  /** All works by so many processes, which live for this measurement. */
  async measure(count: 1 | 2): Promise<Rates> {
    const running: RunningService[] = [];
    for (let i = 0; i < count; i++) running.push(await launch(this.#site.installation));
    try {
      const init = await this.#load(running, (peer) => writeJob(peer, (id) => this.made.push(id)));
      const ids = this.made.slice(-STATUS_IDS);
      const status = await this.#load(running, (peer) =>
        readJob(peer, { Authorization: peer.authorization }, (n) => {
          return `/api/v1/payments/status?transactionId=${ids[n % ids.length]}`;
        }),
      );
      return { init, status, deliveries: await this.#deliver(running) };
    } finally {
      for (const each of running) await each.stop();
    }
  }

  /** Spreads the connections over the processes; resolves to the answers per second of all together. */
  async #load(
    running: readonly RunningService[],
    job: (peer: { port: number; authorization: string }) => Job,
  ): Promise<number> {
    const { connections, seconds } = this.#options;
    const authorization = `Bearer ${this.#site.installation.apiKey}`;
    const loads = running.map(({ port }) =>
      runLoad(job({ port, authorization }), {
        port,
        connections: Math.max(1, Math.floor(connections / running.length)),
        durationMs: seconds * 1000,
      }),
    );
    return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0);
  }

  async #deliver(running: readonly RunningService[]): Promise<number> {
    const sender = this.#site.sender(running[0]?.pid ?? 0);
    const count = this.#next;
    const { perSecond } = await sendRound(sender, this.#sink, this.#sent, count);
    this.#sent += count;
    if (!this.#options.smoke)
      this.#next = Math.max(DELIVERIES_FIRST, Math.round(perSecond * this.#options.seconds));
    return perSecond;
  }
}

function findings(rounds: readonly { one: Rates; two: Rates }[], options: Options): Findings {
  const of = (work: Work, which: 'one' | 'two') => median(rounds.map((round) => round[which][work]));
  const rows = WORKS.map((work) => [work, whole(of(work, 'one')), whole(of(work, 'two'))]);
  const title = `postgres: per second on one PostgreSQL server with fsync, ${options.connections} connections, ${options.rounds} rounds in turn`;
  return {
    text: [title, ...aligned([['', 'one process', 'two processes'], ...rows])].join('\n'),
    ratios: WORKS.map((work) => ({
      scenario: NAME,
      name: `PostgreSQL, ${work}, two processes / one`,
      ...spread(rounds.map(({ one, two }) => two[work] / one[work])),
      bar: null,
    })),
    figures: WORKS.map((work) => ({
      scenario: NAME,
      name: `PostgreSQL, ${work}, one process`,
      value: of(work, 'one'),
      unit: '/s',
    })),
  };
}
