import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server on a free port and waits until it is ready. `folder` is its working directory, where the service on PostgreSQL
 * writes its sandbox's file.
 */
export async function startServer(folder: string, [file = '', ...args]: readonly string[], env: Environment) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const program = startFile(file, args, { ...env, SERVICE_PORT: String(port) }, { cwd: folder });
  await ready(program, url, READY_MS_MAX, '/readyz');
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

/** Starts a program of the benchmark, which sends one message when it is ready and answers one question after the other. */
export async function startProgram<Hello>(file: string, env: Environment = {}) {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: [],
    serialization: 'advanced',
    env: { ...process.env, ...env },
  });
  killAtExit(child);
  const exited = once(child, 'exit');
  const message = async <T>(): Promise<T> => {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const [answer] = await Promise.race([answered, exited.then(() => [])]);
    if (answer === undefined) throw new Error(`${file} ended`);
    return answer;
  };
  const hello = await message<Hello>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    pid: child.pid ?? 0,
    hello,
    /** Throws when the program ends or does not answer. */
    async ask<Answer>(question: unknown): Promise<Answer> {
      const answer = last.then(() => {
        const answered = message<Answer>();
        child.send(question as object);
        return answered;
      });
      last = answer.catch(() => {});
      return await answer;
    },
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
