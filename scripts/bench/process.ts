import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/program.ts';
import { BenchError } from './types.ts';

const READY_MS_MAX = 60_000;
const STOP_MS_MAX = 15_000;
const COMMAND_MS_MAX = 60_000;
const ANSWER_MS_MAX = 120_000;
const POLL_MS = 10;
const LOG_TAIL_CHARACTERS = 2000;

export type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface ServerOptions {
  /** Arguments of `node`. */
  readonly args: readonly string[];
  readonly env: Environment;
  /** The setting that names its port, a free one. */
  readonly portSetting: string;
  /** A path that answers 200 once the server is ready. */
  readonly readyPath: string;
  /** Receives standard output and standard error. */
  readonly logFile: string;
}

export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process until it was ready. */
  readonly readyMs: number;
  /** Kills the process. Throws BenchError when it has already ended. */
  stop(): Promise<void>;
}

/** Starts a server and waits until it is ready. Throws BenchError with the end of its output when it does not start. */
export async function startServer({
  args,
  env,
  portSetting,
  readyPath,
  logFile,
}: ServerOptions): Promise<ServerProcess> {
  const port = await freePort();
  const log = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    // On PostgreSQL the service writes its sandbox's file to the working directory.
    cwd: dirname(logFile),
    env: childEnv({ ...env, [portSetting]: String(port) }),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  track(child);
  const failure = (what: string) =>
    new BenchError(
      `node ${args.join(' ')} ${what}:\n${readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS)}`,
    );
  while (!(await isReady(port, readyPath))) {
    if (!running.has(child) || performance.now() > startedAt + READY_MS_MAX) {
      child.kill('SIGKILL');
      throw failure('does not start');
    }
    await wait(POLL_MS);
  }
  return {
    port,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    async stop() {
      if (!running.has(child)) throw failure('ended unexpectedly');
      await end(child, () => child.kill('SIGKILL'));
    },
  };
}

/** A child process of the benchmark that sends one message when it is ready and answers one question at a time. */
export interface Program<Hello> {
  readonly pid: number;
  readonly hello: Hello;
  /** Throws BenchError when the program ends or does not answer. */
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a program of the benchmark and waits for its first message. */
export async function startProgram<Hello>(file: string, env: Environment = {}): Promise<Program<Hello>> {
  const path = join(import.meta.dirname, file);
  const child = fork(path, { execArgv: [], serialization: 'advanced', env: { ...process.env, ...env } });
  track(child);
  const message = async <T>(): Promise<T> => {
    const ended = new AbortController();
    const abort = () => ended.abort();
    child.once('exit', abort);
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
      return (await once(child, 'message', { signal }))[0] as T;
    } catch {
      throw new BenchError(`${basename(path)} ended or did not answer`);
    } finally {
      child.off('exit', abort);
    }
  };
  return {
    pid: child.pid ?? 0,
    hello: await message<Hello>(),
    async ask<Answer>(question: unknown): Promise<Answer> {
      const answer = message<Answer>();
      child.send(question as object);
      return await answer;
    },
    async stop() {
      if (running.has(child)) await end(child, () => child.disconnect());
    },
  };
}

/** Runs a command to its end and returns its standard output. Throws BenchError when it fails. */
export async function runCommand(args: readonly string[], env: Environment): Promise<string> {
  try {
    const options = { env: childEnv(env), timeout: COMMAND_MS_MAX };
    return (await promisify(execFile)(process.execPath, [...args], options)).stdout;
  } catch (error) {
    throw new BenchError(`node ${args.join(' ')} failed: ${error instanceof Error ? error.message : error}`);
  }
}

function track(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
}

async function end(child: ChildProcess, request: () => void): Promise<void> {
  const exited = once(child, 'exit');
  request();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await exited;
  clearTimeout(timer);
}

/** Returns this process's environment without settings of the service, plus `env`. */
function childEnv(env: Environment): NodeJS.ProcessEnv {
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
