import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../test/support/until.ts';
import { startProgram } from '../process.ts';
import type { Arrivals, SinkQuestion } from '../programs/sink.ts';

/** A merchant's TLS endpoint, in its own process. */
export type Sink = Awaited<ReturnType<typeof startSink>>;

/** Starts a sink and writes its certificate to `folder`. */
export async function startSink(folder: string) {
  const program = await startProgram<{ port: number; ca: string }>('programs/sink.ts');
  const { port, ca } = program.hello;
  const caFile = join(folder, `sink-${port}.pem`);
  writeFileSync(caFile, ca);
  const ask = <T>(question: SinkQuestion) => program.ask<T>(question);
  return {
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
    /** Returns the deliveries since the last call. Throws unless there are `count`, all signed with `secret`. */
    async take(secret: string, count: number): Promise<Arrivals> {
      const arrivals = await ask<Arrivals>({ ask: 'take', secret });
      const { wrong, at } = arrivals;
      if (wrong > 0) throw new Error(`${wrong} deliveries have a wrong signature`);
      if (at.length !== count) throw new Error(`${at.length} deliveries arrived, not ${count}`);
      return arrivals;
    },
    stop: program.stop,
  };
}
