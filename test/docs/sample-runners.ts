import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { SAMPLES_FOLDER } from '../../src/docs/site.ts';
import { temporaryFolder } from '../support/database.ts';
import { endProgram, freePort, hasEnded, type Program, startProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'src/client');
/** The entry points of the package in the source. */
const ENTRY_POINTS = { client: join(CLIENT, 'client.ts'), webhooks: join(CLIENT, 'webhooks.ts') };

export type Runner = (typeof RUNNERS)[number];

export const TYPESCRIPT = {
  name: 'TypeScript',
  ending: '.ts.txt',
  command: process.execPath,
  missing: null,
};
export const RUNNERS = [
  { name: 'curl', ending: '.sh', command: 'bash', missing: installed('curl') },
  TYPESCRIPT,
  { name: 'PHP', ending: '.php', command: 'php', missing: installed('php') },
  { name: 'Python', ending: '.py', command: 'python3', missing: installed('python3') },
];

/** Returns why a sample cannot run here; null if it can. */
function installed(command: string): string | null {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return null;
  } catch {
    return `${command} is not installed`;
  }
}

/** The samples of the back office. */
const OFFICE_FOLDER = join(ROOT, 'src/backoffice/web/pages/webhook/samples');

/** Returns a copy to run. A TypeScript sample imports the source instead of the installed package. */
export function runnable(name: string, { ending }: Runner, change = (code: string) => code): string {
  const own = join(SAMPLES_FOLDER, name + ending);
  const file = existsSync(own) ? own : join(OFFICE_FOLDER, `${name}${ending.replace('.txt', '')}.txt`);
  const code = change(readFileSync(file, 'utf8'))
    .replace(
      /'payment-collection-client(?:\/(webhooks))?'/g,
      (_package, entryPoint: keyof typeof ENTRY_POINTS = 'client') =>
        `'${pathToFileURL(ENTRY_POINTS[entryPoint]).href}'`,
    )
    .replace("'@trpc/client'", `'${import.meta.resolve('@trpc/client')}'`);
  const copy = join(temporaryFolder(), name + ending.replace('.ts.txt', '.mts'));
  writeFileSync(copy, code);
  return copy;
}

export async function serveSample(
  name: string,
  runner: Runner,
  settings: Readonly<Record<string, string>>,
  change?: (code: string) => string,
): Promise<{ program: Program; url: string }> {
  const port = await freePort();
  const env = { ...settings, PORT: String(port) };
  const file = runnable(name, runner, change);
  const args = runner.name === 'PHP' ? ['-S', `127.0.0.1:${port}`, file] : [file];
  const program = startProgram(args[0] ?? '', args.slice(1), env, { command: runner.command });
  onTestFinished(() => endProgram(program));
  const url = `http://127.0.0.1:${port}/`;
  await until(async () => {
    if (hasEnded(program)) throw new Error(`the sample ${name} ended: ${program.err()}`);
    return (await fetch(url, { method: 'POST', body: '' }).catch(() => null)) !== null;
  }, `the sample ${name}`);
  return { program, url };
}
