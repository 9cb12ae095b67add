import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Workload } from './requests.ts';

/** The time limit for requests in flight after the measured time. */
const FINISH_MS_MAX = 10_000;
const HEAD_END = '\r\n\r\n';
const HEAD_BYTES_MAX = 64 * 1024;

export interface LoadOptions {
  readonly ports: readonly number[];
  readonly connections: number;
  readonly durationMs: number;
  /** Ends the load after this many requests; unlimited without it. */
  readonly requestsMax?: number;
  /** Sends this many requests per second, as far as the connections allow; without it, as many as possible. */
  readonly perSecond?: number;
}

export type LoadResult = Awaited<ReturnType<typeof runLoad>>;

/**
 * Sends requests over keep-alive connections, one at a time on each. Writes and parses HTTP by hand, because a full client would use
 * more processor time than the server. Throws on any status but 200.
 */
export async function runLoad(workload: Workload, options: LoadOptions) {
  const { connections, ports } = options;
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, i) => connect(ports[i % ports.length] ?? 0)),
  );
  const latencies: number[] = [];
  let sent = 0;
  let inTime = 0;
  const busyBefore = performance.eventLoopUtilization();
  const beganAt = performance.now();
  const endAt = beganAt + options.durationMs;
  const spacingMs = options.perSecond === undefined ? 0 : 1000 / options.perSecond;
  const drive = async (socket: Socket) => {
    const exchange = exchanges(socket, endAt + FINISH_MS_MAX);
    while (performance.now() < endAt && sent < (options.requestsMax ?? Number.POSITIVE_INFINITY)) {
      const early = beganAt + sent * spacingMs - performance.now();
      sent += 1;
      if (spacingMs > 0 && early > 0) await wait(early);
      const startedAt = performance.now();
      const body = await exchange(workload.nextRequest());
      const now = performance.now();
      if (now <= endAt) inTime += 1;
      latencies.push(now - startedAt);
      workload.accept(body);
    }
    socket.destroy();
  };
  await Promise.all(sockets.map(drive));
  return {
    /** Answers within the measured time, per second. */
    perSecond: (inTime * 1000) / options.durationMs,
    /** All answers, including those after the measured time. */
    answers: latencies.length,
    /** From the write to the last byte, sorted. */
    latenciesMs: Float64Array.from(latencies).sort(),
    /** Share of the measured time in which this process was busy: near 1 the load generator is the limit. */
    loadBusy: performance.eventLoopUtilization(busyBefore).utilization,
  };
}

/** Calls `send` with 0 to `count` - 1 at a fixed rate, and returns all results. */
export async function atRate<T>(
  perSecond: number,
  count: number,
  send: (n: number) => Promise<T>,
): Promise<T[]> {
  const startedAt = performance.now();
  const sent: Promise<T>[] = [];
  for (let n = 0; n < count; n++) {
    await wait(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()));
    sent.push(send(n));
  }
  return await Promise.all(sent);
}

async function connect(port: number): Promise<Socket> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true });
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

/** Returns a function that sends one request and resolves to the body of its answer. */
function exchanges(socket: Socket, deadline: number): (request: string) => Promise<string> {
  let received = '';
  let resolve: (body: string) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  socket.setTimeout(deadline - performance.now(), () => socket.destroy(new Error('no answer')));
  socket.on('error', (error) => reject(new Error(`The connection failed: ${error.message}`)));
  socket.on('close', () => reject(new Error('The server closed a keep-alive connection')));
  socket.on('data', (chunk: string) => {
    try {
      received += chunk;
      const message = completeMessage(received);
      if (message === null) return;
      received = '';
      const { head, body } = message;
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`${head}: ${body.slice(0, 500)}`);
      resolve(body);
    } catch (error) {
      reject(error);
    }
  });
  return (request) =>
    new Promise((onBody, onError) => {
      [resolve, reject] = [onBody, onError];
      socket.write(request);
    });
}

/** Returns head and body of an HTTP message, or null while it is incomplete. Takes text of one character per byte. */
export function completeMessage(received: string): { head: string; body: string } | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) {
    if (received.length > HEAD_BYTES_MAX) throw new Error('the head of a message does not end');
    return null;
  }
  const head = received.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a message has no content-length: ${head}`);
  const body = received.slice(headEnd + HEAD_END.length);
  if (body.length < Number(length)) return null;
  if (body.length > Number(length)) throw new Error('a message is longer than its content-length');
  return { head, body };
}
