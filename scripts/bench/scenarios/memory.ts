import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { Experiment, Findings } from '../contest.ts';
import { dueStatements, SQLITE } from '../deliveries/due.ts';
import { bulk } from '../fill/bulk.ts';
import type { Options } from '../options.ts';
import { progress } from '../progress.ts';
import { residentMb } from '../resident.ts';
import { type Installation, install, launch } from '../service.ts';
import { type Sink, startSink } from '../sink.ts';
import { median, spread } from '../statistics.ts';
import { systemNow } from '../system-now.ts';
import { aligned, whole } from '../text.ts';

const NAME = 'memory';
/** The large queue is so many times the small one. */
const TIMES = 50;
const ROUNDS_MAX = 3;
const DRAIN_SECONDS_MIN = 4;
const FIRST_MS_MAX = 60_000;

interface Drain {
  readonly peakMb: number;
  /** From the start of the process to the first delivery. */
  readonly firstMs: number;
}

/** The most memory that the service takes while it drains a full queue, beside one that is fifty times shorter. */
export const memory: Experiment = {
  name: NAME,
  async run(folder, options) {
    const sink = await startSink(folder);
    try {
      const few = await filled(join(folder, 'memory-few'), sink, Math.round(options.due / TIMES));
      const many = await filled(join(folder, 'memory-many'), sink, options.due);
      const rounds: { few: Drain; many: Drain }[] = [];
      for (let round = 0; round < Math.min(ROUNDS_MAX, options.rounds); round++) {
        progress(`${NAME}: round ${round + 1}`);
        rounds.push({ few: await drain(few, sink, options), many: await drain(many, sink, options) });
      }
      return findings(rounds, options);
    } finally {
      await sink.stop();
    }
  },
};

async function filled(folder: string, sink: Sink, due: number): Promise<Installation> {
  const installation = await install(folder, sink);
  progress(`${NAME}: writing ${whole(due)} due deliveries`);
  bulk(installation.file, ['transactions', 'events', 'deliveries'], (handle) => {
    const { merchantId } = installation;
    for (const statement of dueStatements(SQLITE, { merchantId, after: 0, count: due }))
      handle.exec(statement);
    // Their numbers were given long ago, when the queue began to grow.
    handle.exec(`update events set sequence = rowid`);
    handle.exec(`insert into event_counters values ('${merchantId}', ${due})`);
  });
  return installation;
}

/** What earlier rounds sent is due again, as if it had never been. */
function rearm(file: string): void {
  const handle = new Sqlite(file);
  handle.exec(`
    begin;
    update deliveries set state = 'due', attempts_count = 0, next_attempt_at = created_at, claim_token = null, claimed_until = null,
      finished_at = null where state <> 'due' or attempts_count > 0;
    delete from delivery_attempts;
    commit`);
  handle.close();
}

async function drain(installation: Installation, sink: Sink, options: Options): Promise<Drain> {
  rearm(installation.file);
  const startedAt = systemNow();
  const running = await launch(installation);
  try {
    await sink.waitFor(1, FIRST_MS_MAX);
    await wait((options.smoke ? 0.2 : Math.max(DRAIN_SECONDS_MIN, options.seconds)) * 1000);
    const { peak } = residentMb(running.pid);
    const { at } = await sink.take(installation.webhookSecret);
    return { peakMb: peak, firstMs: (at[0] ?? Number.NaN) - startedAt };
  } finally {
    await running.stop();
    // What was under way when it was stopped belongs to nobody's round.
    await wait(100);
    await sink.take(installation.webhookSecret);
  }
}

function findings(rounds: readonly { few: Drain; many: Drain }[], { due }: Options): Findings {
  const row = (name: string, which: 'few' | 'many') => [
    name,
    whole(median(rounds.map((round) => round[which].peakMb))),
    whole(median(rounds.map((round) => round[which].firstMs))),
  ];
  const rows = [
    ['due deliveries', 'peak MiB', 'first after ms'],
    row(whole(due / TIMES), 'few'),
    row(whole(due), 'many'),
  ];
  return {
    text: ['memory: the most that the service held while it drained a queue', ...aligned(rows)].join('\n'),
    ratios: [
      {
        scenario: NAME,
        name: `peak memory, ${whole(due)} due / ${whole(due / TIMES)}`,
        ...spread(rounds.map(({ few, many }) => many.peakMb / few.peakMb)),
        bar: { better: 'lower', floor: 1.3, target: 1.1 },
      },
    ],
    figures: [
      {
        scenario: NAME,
        name: `peak memory with ${whole(due)} due`,
        value: median(rounds.map(({ many }) => many.peakMb)),
        unit: 'MiB',
      },
    ],
  };
}
