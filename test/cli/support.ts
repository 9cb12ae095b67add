import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import { knownUrl } from '../support/known-urls.ts';
import { runs } from '../support/package.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What is typed after the program's name: arguments, or text that is split at spaces. */
export type Line = string | readonly string[];

const argsOf = (line: Line) => (typeof line === 'string' ? line.split(' ') : line);

export interface Operator {
  /** Runs one command line in its own process. */
  run(line: Line, options?: { stdin?: string; env?: Record<string, string> }): Promise<Outcome>;
  /** The JSON answer of a command that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints another object
  json(line: Line, options?: { stdin?: string; env?: Record<string, string> }): Promise<any>;
}

/** The settings of the installation in `folder`. Without a SQLite file, the command line needs the key as a setting. */
function installationIn(folder: string): Record<string, string> {
  const url = knownUrl(folder);
  if (url.startsWith('sqlite:')) return { SERVICE_DATABASE_URL: url };
  const key = readFileSync(join(folder, 'secret.key'), 'utf8');
  return { SERVICE_DATABASE_URL: url, SERVICE_SECRET_KEY: key };
}

/** The command line of the installation in `folder`. */
export function operatorOf(folder: string): Operator {
  const run: Operator['run'] = async (line, options = {}) => {
    const env = { PATH: process.env.PATH ?? '', ...installationIn(folder), ...options.env };
    const args = [CLI, ...argsOf(line)];
    const { code, out, err } = await runs(process.execPath, args, { ...options, env, cwd: folder });
    return { code, stdout: out, stderr: err };
  };
  return { run, json: (line, options) => jsonOf(line, (all) => run(all, options)) };
}

/** The JSON answer of a command that must succeed. */
async function jsonOf(line: Line, run: (line: Line) => Promise<Outcome>) {
  const { code, stdout, stderr } = await run([...argsOf(line), '--json']);
  if (code !== 0) throw new Error(`${argsOf(line).join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/**
 * Runs one command line in this process, which is faster. Standard input is not available. `env` may name another installation than
 * that of `folder`.
 */
export async function runHere(
  folder: string,
  line: Line,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const out = new PassThrough();
  const err = new PassThrough();
  const own = env.SERVICE_DATABASE_URL === undefined ? installationIn(folder) : {};
  const code = await runCli(argsOf(line), { ...own, ...env }, { out, err });
  out.end();
  err.end();
  return { code, stdout: await text(out), stderr: await text(err) };
}

/** The line that a command prints that must fail, run in this process. */
export async function refusedHere(...command: Parameters<typeof runHere>): Promise<string> {
  const { code, stdout, stderr } = await runHere(...command);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}

/** The JSON answer of a command that must succeed, run in this process. */
// biome-ignore lint/suspicious/noExplicitAny: each command prints another object
export function jsonHere(folder: string, line: Line, env?: Readonly<Record<string, string>>): Promise<any> {
  return jsonOf(line, (all) => runHere(folder, all, env));
}
