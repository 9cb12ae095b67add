import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchError } from './contest.ts';
import { startProgram } from './program.ts';
import type { Arrivals, SinkQuestion } from './programs/sink.ts';

const POLL_MS = 25;

/** The TLS endpoint that deliveries go to. */
export interface Sink {
  readonly pid: number;
  readonly url: string;
  /** The certificate to trust, PEM, and a file with it. */
  readonly ca: string;
  readonly caFile: string;
  /** Waits until so many deliveries have come. Throws BenchError when they do not. */
  waitFor(count: number, withinMs: number): Promise<void>;
  /** What came since the last time. Throws BenchError when a signature is not by `secret`. */
  take(secret: string): Promise<Arrivals>;
  stop(): Promise<void>;
}

/** Starts a sink; its certificate is left in `folder`. */
export async function startSink(folder: string): Promise<Sink> {
  const file = new URL('./programs/sink.ts', import.meta.url);
  const program = await startProgram<{ port: number; ca: string }>(file);
  const { port, ca } = program.hello;
  const caFile = join(folder, 'sink.pem');
  writeFileSync(caFile, ca);
  const ask = <T>(question: SinkQuestion) => program.ask<T>(question);
  return {
    pid: program.pid,
    url: `https://127.0.0.1:${port}/hook`,
    ca,
    caFile,
    async waitFor(count, withinMs) {
      const giveUpAt = performance.now() + withinMs;
      for (;;) {
        const come = await ask<number>({ ask: 'count' });
        if (come >= count) return;
        if (performance.now() > giveUpAt)
          throw new BenchError(`only ${come} of ${count} deliveries arrived within ${withinMs / 1000} s`);
        await wait(POLL_MS);
      }
    },
    async take(secret) {
      const arrivals = await ask<Arrivals>({ ask: 'take', secret });
      if (arrivals.wrong > 0) throw new BenchError(`${arrivals.wrong} deliveries carry a wrong signature`);
      return arrivals;
    },
    stop: () => program.stop(),
  };
}
