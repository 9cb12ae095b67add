import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchError } from './contest.ts';
import { host, type Span } from './host.ts';
import { systemNow } from './system-now.ts';
import { wholeBody } from './wire.ts';

const FINISH_MS_MAX = 60_000;

/** A request that is sent when its time has come, whatever became of those before. */
export interface OpenRequest {
  readonly kind: string;
  readonly text: string;
  /** Looks at the body of a 200 answer; throws when it is not what the request asked for. */
  accept(body: string): void;
}

export interface OpenLoadOptions {
  readonly port: number;
  /** At most so many are under way; what finds none free waits, and its waiting counts. */
  readonly connections: number;
  readonly perSecond: number;
  readonly durationMs: number;
  next(): OpenRequest;
}

interface Waiting {
  readonly request: OpenRequest;
  /** When it should have left. */
  readonly dueAt: number;
}

/**
 * Sends requests at random instants of a fixed mean rate, as independent customers come, and measures each from the moment when
 * it should have been sent: an answer that is late makes the next ones late in the figures too. Resolves to the latencies by kind, in
 * milliseconds, sorted, without those that the machine's host disturbed. Throws BenchError on any answer but 200.
 */
export async function runOpenLoad(options: OpenLoadOptions): Promise<Map<string, Float64Array>> {
  const spans = new Map<string, Span[]>();
  const lanes = await Promise.all(Array.from({ length: options.connections }, () => openLane(options.port)));
  const idle = [...lanes];
  const waiting: Waiting[] = [];
  const running = new Set<Promise<void>>();
  let failure: unknown = null;

  const run = async (lane: Lane, { request, dueAt }: Waiting) => {
    const body = await lane.exchange(request.text);
    request.accept(body);
    const measured = spans.get(request.kind) ?? [];
    measured.push({ from: dueAt, until: systemNow() });
    spans.set(request.kind, measured);
    idle.push(lane);
    send();
  };
  const send = () => {
    while (idle.length > 0 && waiting.length > 0) {
      const [lane, first] = [idle.pop(), waiting.shift()];
      if (lane === undefined || first === undefined) return;
      const sent: Promise<void> = run(lane, first)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(sent));
      running.add(sent);
    }
  };

  const beginAt = systemNow();
  const endAt = beginAt + options.durationMs;
  let dueAt = beginAt;
  while (failure === null) {
    dueAt += (-Math.log(1 - Math.random()) * 1000) / options.perSecond;
    if (dueAt > endAt) break;
    const early = dueAt - systemNow();
    if (early > 0) await wait(early);
    waiting.push({ request: options.next(), dueAt });
    send();
  }
  while (running.size > 0 && failure === null && systemNow() < endAt + FINISH_MS_MAX)
    await Promise.race(running);
  for (const lane of lanes) lane.close();
  if (failure !== null) throw failure;
  if (waiting.length + running.size > 0) throw new BenchError('answers did not come');
  return new Map([...spans].map(([kind, measured]) => [kind, host.durations(measured)]));
}

/** Sends as fast as so many connections can, one request after the other on each. Resolves to the number of answers. */
export async function runClosedLoad({
  port,
  connections,
  durationMs,
  next,
}: Omit<OpenLoadOptions, 'perSecond'>): Promise<number> {
  const endAt = performance.now() + durationMs;
  let answers = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const lane = await openLane(port);
      while (performance.now() < endAt) {
        const request = next();
        request.accept(await lane.exchange(request.text));
        answers += 1;
      }
      lane.close();
    }),
  );
  return answers;
}

/** One keep-alive connection, for one request at a time. */
interface Lane {
  exchange(text: string): Promise<string>;
  close(): void;
}

async function openLane(port: number): Promise<Lane> {
  const socket: Socket = createConnection({ host: '127.0.0.1', port, noDelay: true });
  let received = '';
  let answered: ((body: string) => void) | null = null;
  let failed: (error: unknown) => void = () => {};
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    try {
      received += chunk;
      const body = wholeBody(received);
      if (body === null) return;
      received = '';
      answered?.(body);
    } catch (error) {
      failed(error);
    }
  });
  socket.on('error', (error) => failed(new BenchError(`the connection failed: ${error.message}`)));
  socket.on('close', () => failed(new BenchError('the server closed a keep-alive connection')));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    failed = reject;
  });
  failed = () => {};
  return {
    exchange: (text) =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        socket.write(text);
      }),
    close() {
      failed = () => {};
      socket.destroy();
    },
  };
}
