import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../test/support/until.ts';
import { startProgram } from '../process.ts';
import type { Arrivals, SinkQuestion } from '../programs/sink.ts';

/** A merchant's TLS endpoint, in its own process. */
export type Sink = Awaited<ReturnType<typeof startSink>>;

/** The settings of a program that sends to the sink. */
export function programEnv(sink: Sink, secret: string): Record<string, string> {
  return { BENCH_URL: sink.url, BENCH_CA: sink.ca, BENCH_SECRET: secret };
}

/** Starts a sink and writes its certificate to `folder`. */
export async function startSink(folder: string) {
  const program = await startProgram<{ port: number; ca: string }>('programs/sink.ts');
  const { port, ca } = program.hello;
  const caFile = join(folder, `sink-${port}.pem`);
  writeFileSync(caFile, ca);
  const ask = <T>(question: SinkQuestion) => program.ask<T>(question);
  return {
    /** Answers 200. */
    url: `https://127.0.0.1:${port}/hook`,
    /** Accepts requests and never answers. */
    hangingUrl: `https://127.0.0.1:${port}/hang`,
    /** The certificate to trust, PEM, and a file with it. */
    ca,
    caFile,
    /** Waits until `count` deliveries have arrived. Throws when they do not. */
    async waitFor(count: number, withinMs: number): Promise<void> {
      const haveArrived = async () => (await ask<number>({ ask: 'count' })) >= count;
      await until(haveArrived, `${count} deliveries to arrive`, withinMs);
    },
    /** Returns the deliveries since the last call. Throws when a signature was not made with `secret`. */
    async take(secret: string): Promise<Arrivals> {
      const arrivals = await ask<Arrivals>({ ask: 'take', secret });
      if (arrivals.wrong > 0) throw new Error(`${arrivals.wrong} deliveries have a wrong signature`);
      return arrivals;
    },
    stop: program.stop,
  };
}
