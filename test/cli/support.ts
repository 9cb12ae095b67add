import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/cli/run.ts';
import { knownUrl } from '../support/known-urls.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Operator {
  /** Runs one command line in a process of its own. */
  run(args: readonly string[], options?: { stdin?: string; env?: Record<string, string> }): Promise<Outcome>;
  /** The JSON answer of a command that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command printed
  json(args: readonly string[], options?: { stdin?: string; env?: Record<string, string> }): Promise<any>;
}

/** The database of the service in `folder`, and its key, which a command line finds by itself only beside a file. */
function installationIn(folder: string): Record<string, string> {
  const url = knownUrl(folder);
  if (url.startsWith('sqlite:')) return { SERVICE_DATABASE_URL: url };
  const key = readFileSync(join(folder, 'secret.key'), 'utf8');
  return { SERVICE_DATABASE_URL: url, SERVICE_SECRET_KEY: key };
}

/** Somebody at the command line of the installation in `folder`. */
export function operatorOf(folder: string): Operator {
  const run: Operator['run'] = async (args, options = {}) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { PATH: process.env.PATH ?? '', ...installationIn(folder), ...options.env },
      cwd: folder,
    });
    child.stdin.end(options.stdin ?? '');
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  };
  return {
    run,
    async json(args, options) {
      const { code, stdout, stderr } = await run([...args, '--json'], options);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

/** The same in this process: faster, and for all that does not read standard input. */
export async function runHere(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const out = new PassThrough();
  const err = new PassThrough();
  const code = await runCli(args, { ...installationIn(folder), ...env }, { out, err });
  out.end();
  err.end();
  return { code, stdout: await text(out), stderr: await text(err) };
}
