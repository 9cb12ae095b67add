import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Program {
  child: ChildProcess;
  out(): string;
  err(): string;
  /** Resolves to the exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs a file of src as a process of its own, ended by its own pid when the test is over. */
export function run(file: string, args: readonly string[], env: Record<string, string>): Program {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, env: { PATH, ...env } });
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, out: () => out, err: () => err, ended, kill: (signal) => child.kill(signal) };
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Waits until the program says that it is ready to serve at `url`. */
export async function ready(program: Program, url: string): Promise<void> {
  await until(async () => {
    if (program.child.exitCode !== null) throw new Error(`it ended: ${program.err()}`);
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    return answer?.status === 200;
  }, `${url} to be up`);
}
