import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchError } from './contest.ts';

const ANSWER_MS_MAX = 120_000;

/** A program of the benchmark in a process of its own, which says something when it is ready and answers questions one at a time. */
export interface Program<Hello> {
  readonly pid: number;
  readonly hello: Hello;
  /** Throws BenchError when no answer comes. */
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a program and waits for its first word. Throws BenchError when it ends without one. */
export async function startProgram<Hello>(
  file: URL,
  env: Readonly<Record<string, string>> = {},
  execArgv: readonly string[] = [],
): Promise<Program<Hello>> {
  const path = fileURLToPath(file);
  const child = fork(path, {
    execArgv: [...execArgv],
    serialization: 'advanced',
    env: { ...process.env, ...env },
  });
  const said = async <T>(): Promise<T> => {
    const ended = new AbortController();
    const end = () => ended.abort();
    child.once('exit', end);
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
      const [word] = await once(child, 'message', { signal });
      return word as T;
    } catch {
      throw new BenchError(`${basename(path)} ended or said nothing`);
    } finally {
      child.off('exit', end);
    }
  };
  const hello = await said<Hello>();
  return {
    pid: child.pid ?? 0,
    hello,
    async ask<Answer>(question: unknown): Promise<Answer> {
      const answer = said<Answer>();
      child.send(question as object);
      return await answer;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      // A program that is left alone ends in order, its profile written.
      child.disconnect();
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      await exited;
      clearTimeout(late);
    },
  };
}
