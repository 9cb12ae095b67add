import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Program = ReturnType<typeof startProgram>;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function killAtExit(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

interface StartOptions {
  /** Runs as this user and group; needs the superuser. */
  uid?: number;
  /** The interpreter; Node.js by default. */
  command?: string;
  /** The working directory; the project's folder by default. */
  cwd?: string;
}

/** Starts a file of the project as a process; the caller ends it by `endProgram`. It ends at the latest with this process. */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  { uid, command = process.execPath, cwd = ROOT }: StartOptions = {},
) {
  const { PATH = '' } = process.env;
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(command, [file, ...args], { cwd, env: { PATH, ...env }, ...user });
  killAtExit(child);
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  /** Resolves to the exit code, or the signal that ended it. */
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

export function hasEnded({ child }: Program): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Kills the program, if it still runs, and waits for its end. */
export async function endProgram(program: Program): Promise<void> {
  if (!hasEnded(program)) program.kill('SIGKILL');
  await program.ended;
}

/**
 * A loopback port that was free a moment ago. It is below those that the system gives to connections, so that a program that is
 * started again on it finds it free.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(12_000, 20_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until the program answers 200 at `path` of `url`. */
export async function ready(
  program: Program,
  url: string,
  deadlineMs?: number,
  path = '/healthz',
): Promise<void> {
  await until(
    async () => {
      if (hasEnded(program)) throw new Error(`it ended: ${program.err()}`);
      const answer = await fetch(`${url}${path}`).catch(() => null);
      return answer?.status === 200;
    },
    `${url} to be up`,
    deadlineMs,
  );
}
