import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  endProgram,
  freePort,
  hasEnded,
  killAtExit,
  ready,
  startProgram as startFile,
} from '../../test/support/program.ts';

const READY_MS_MAX = 60_000;
const ANSWER_MS_MAX = 120_000;

export type Environment = Readonly<Record<string, string>>;

export interface ServerOptions {
  /** Arguments of `node`. */
  readonly args: readonly [file: string, ...rest: string[]];
  readonly env: Environment;
  /** The setting that names its port, a free one. */
  readonly portSetting: string;
  /** A path that answers 200 once the server is ready. */
  readonly readyPath: string;
  /** Its working directory, where the service on PostgreSQL writes its sandbox's file. */
  readonly folder: string;
}

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/** Starts a server and waits until it is ready. */
export async function startServer({
  args: [file, ...rest],
  env,
  portSetting,
  readyPath,
  folder,
}: ServerOptions) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const program = startFile(file, rest, { ...env, [portSetting]: String(port) }, { cwd: folder });
  await ready(program, url, READY_MS_MAX, readyPath);
  return {
    port,
    url,
    pid: program.child.pid ?? 0,
    /** From the start of the process until it was ready. */
    readyMs: performance.now() - startedAt,
    /** Kills the process. Throws when it has already ended. */
    async stop() {
      if (hasEnded(program)) throw new Error(`a server ended:\n${program.out()}${program.err()}`);
      await endProgram(program);
    },
  };
}

/** A child process of the benchmark that sends one message when it is ready and answers one question at a time. */
export interface Program<Hello> {
  readonly pid: number;
  readonly hello: Hello;
  /** Throws when the program ends or does not answer. */
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a program of the benchmark and waits for its first message. */
export async function startProgram<Hello>(file: string, env: Environment = {}): Promise<Program<Hello>> {
  const path = join(import.meta.dirname, file);
  const child = fork(path, { execArgv: [], serialization: 'advanced', env: { ...process.env, ...env } });
  killAtExit(child);
  const exited = once(child, 'exit').then(() => null);
  const message = async <T>(): Promise<T> => {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const answer = await Promise.race([answered, exited]).catch(() => null);
    if (answer === null) throw new Error(`${basename(path)} ended or did not answer`);
    return answer[0] as T;
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
      child.kill('SIGKILL');
      await exited;
    },
  };
}
