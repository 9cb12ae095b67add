import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { BenchError, type Job } from './contest.ts';
import { host, type Span } from './host.ts';
import { systemNow } from './system-now.ts';
import { wholeBody } from './wire.ts';

/** How long the answers under way may take after the measured time is over. */
const FINISH_MS_MAX = 10_000;

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Ends the load when this many requests are sent; unlimited without it. */
  readonly requestsMax?: number;
}

export interface Measured {
  /** Answers that came within the measured time, per second. */
  readonly perSecond: number;
  /** All answers, those after the measured time included. */
  readonly answers: number;
  /** From the write to the last byte, sorted; without those that the machine's host disturbed. */
  readonly latenciesMs: Float64Array;
  /** How much of the measured time this process was busy, 0 to 1: near 1 the load itself is the limit. */
  readonly loadBusy: number;
}

interface Counts {
  sent: number;
  answers: number;
  inTime: number;
  readonly spans: Span[];
}

/**
 * Sends the job's requests over keep-alive connections, one at a time on each, and reads the answers. Speaks HTTP by
 * hand: a full client costs several times as much, and server and load share the machine. Throws BenchError on any
 * answer but 200.
 */
export async function runLoad(job: Job, options: LoadOptions): Promise<Measured> {
  const counts: Counts = { sent: 0, answers: 0, inTime: 0, spans: [] };
  // Before the time runs: in a short turn, opening them would be a share of it.
  const sockets = await Promise.all(
    Array.from({ length: options.connections }, () => connected(options.port)),
  );
  const busyBefore = performance.eventLoopUtilization();
  const end = systemNow() + options.durationMs;
  const mayGoOn = () =>
    systemNow() < end && (options.requestsMax === undefined || counts.sent < options.requestsMax);
  await Promise.all(sockets.map((socket) => runConnection(job, socket, end, counts, mayGoOn)));
  return {
    perSecond: (counts.inTime * 1000) / options.durationMs,
    answers: counts.answers,
    latenciesMs: host.durations(counts.spans),
    loadBusy: performance.eventLoopUtilization(busyBefore).utilization,
  };
}

async function connected(port: number): Promise<Socket> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function runConnection(
  job: Job,
  socket: Socket,
  end: number,
  counts: Counts,
  mayGoOn: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(
      () => fail(new BenchError('an answer did not come')),
      end - systemNow() + FINISH_MS_MAX,
    );
    let received = '';
    let from = 0;

    const finish = () => {
      clearTimeout(deadline);
      socket.destroy();
      resolve();
    };
    const fail = (error: Error) => {
      clearTimeout(deadline);
      socket.destroy();
      reject(error);
    };
    const sendNext = () => {
      if (!mayGoOn()) return finish();
      counts.sent += 1;
      from = systemNow();
      socket.write(job.nextRequest());
    };

    // One character per byte: the length of the text is the length that the header counts.
    socket.setEncoding('latin1');
    socket.on('error', (error) => fail(new BenchError(`the connection failed: ${error.message}`)));
    socket.on('close', () => fail(new BenchError('the server closed a keep-alive connection')));
    socket.on('data', (chunk: string) => {
      try {
        received += chunk;
        const body = wholeBody(received);
        if (body === null) return;
        received = '';
        const until = systemNow();
        counts.answers += 1;
        if (until <= end) counts.inTime += 1;
        counts.spans.push({ from, until });
        job.accept(body);
        sendNext();
      } catch (error) {
        fail(error instanceof Error ? error : new BenchError(String(error)));
      }
    });
    sendNext();
  });
}
