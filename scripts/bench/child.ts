import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BenchError } from './contest.ts';

const READY_MS_MAX = 60_000;
const STOP_MS_MAX = 15_000;
const COMMAND_MS_MAX = 60_000;
const POLL_MS = 10;
const LOG_TAIL_CHARACTERS = 2000;

const running = new Set<ChildProcess>();
// No server outlives the benchmark, however that ends.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface ServerOptions {
  /** What follows `node`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** A path that answers 200 once the server is ready. */
  readonly readyPath: string;
  /** Takes standard output and standard error, so that nobody reads them while the load runs. */
  readonly logFile: string;
}

export interface ServerProcess {
  readonly pid: number;
  /** From the start of the process until it was ready. */
  readonly readyMs: number;
  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts a server and waits until it is ready. Throws BenchError, with the end of its output, when it does not start. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const log = openSync(options.logFile, 'a');
  const child = spawn(process.execPath, options.args, {
    env: childEnv(options.env),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));

  const startedAt = performance.now();
  const giveUpAt = startedAt + READY_MS_MAX;
  while (!(await isReady(options.port, options.readyPath))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new BenchError(`node ${options.args.join(' ')} does not start:\n${tail(options.logFile)}`);
    }
    await wait(POLL_MS);
  }
  const readyMs = performance.now() - startedAt;
  return { pid: child.pid ?? 0, readyMs, stop: (signal) => stop(child, signal, options) };
}

async function stop(
  child: ChildProcess,
  signal: 'SIGKILL' | 'SIGTERM',
  { args, logFile }: ServerOptions,
): Promise<void> {
  if (!running.has(child)) throw new BenchError(`node ${args.join(' ')} ended by itself:\n${tail(logFile)}`);
  const exited = once(child, 'exit');
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await exited;
  clearTimeout(late);
}

/** Runs a command to its end; resolves to its standard output. Throws BenchError when it fails. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const options = { env: childEnv(env), timeout: COMMAND_MS_MAX };
    const { stdout } = await promisify(execFile)(process.execPath, [...args], options);
    return stdout;
  } catch (error) {
    throw new BenchError(`node ${args.join(' ')} failed: ${error instanceof Error ? error.message : error}`);
  }
}

/** A port of the loopback interface on which nobody listens now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new BenchError('no free port');
  return address.port;
}

/** This process's environment without settings of the service, plus `env`. */
function childEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
  return { ...Object.fromEntries(inherited), ...env };
}

async function isReady(port: number, path: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

function tail(file: string): string {
  return readFileSync(file, 'utf8').slice(-LOG_TAIL_CHARACTERS).trim();
}
