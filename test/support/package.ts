import { type ExecFileOptions, execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

export async function runs(
  command: string,
  args: readonly string[],
  { stdin = '', ...options }: ExecFileOptions & { stdin?: string | Buffer } = {},
): Promise<Outcome> {
  const running = promisify(execFile)(command, args, { ...options, encoding: 'utf8' });
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(stdin);
  const { stdout, stderr, code = 0 } = await running.catch((error) => error);
  return { code, out: stdout, err: stderr };
}

/** Returns the output of a program; throws with its error output when it fails. */
export async function printed(...command: Parameters<typeof runs>): Promise<string> {
  const { code, out, err } = await runs(...command);
  if (code !== 0)
    throw new Error(`${command[0]} ${command[1].join(' ')} ended with ${code}:\n${out}\n${err}`);
  return out;
}

/** The Node.js executables of this machine by version: the running one and those on the path. */
export function nodes(): Map<string, string> {
  const found = new Map([[process.versions.node, process.execPath]]);
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const command = join(folder, 'node');
    if (!existsSync(command)) continue;
    const { stdout } = spawnSync(command, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    const version = stdout?.trim();
    if (version && !found.has(version)) found.set(version, command);
  }
  return found;
}

/** Packs the server and the client in a copy of this repository. */
export async function pack(
  folder: string,
): Promise<{ server: string; client: string; manifestAfter: string }> {
  const copy = join(folder, 'repository');
  const parts = ['src', 'scripts', 'openapi', 'package.json', 'LICENSE', 'README.md', 'tsconfig.json'];
  for (const part of parts) {
    cpSync(join(ROOT, part), join(copy, part), {
      recursive: true,
      filter: (path) => !path.endsWith(join('web', 'dist')),
    });
  }
  symlinkSync(MODULES, join(copy, 'node_modules'));
  const options = { cwd: copy, env: ownEnvironment() };
  await printed('npm', ['run', '--silent', 'build:client'], options);
  const packed = async (of: string) => {
    const args = ['pack', '--silent', '--no-update-notifier', '--pack-destination', folder, of];
    const out = await printed('npm', args, options);
    return join(folder, out.trim().split('\n').at(-1) ?? '');
  };
  // The server first: it must neither contain nor remove the client.
  return {
    server: await packed('.'),
    client: await packed('./dist/client'),
    manifestAfter: readFileSync(join(copy, 'package.json'), 'utf8'),
  };
}

/**
 * Installs the tarball into an empty project, by npm from its cache. Without a sufficient cache it unpacks the tarball
 * and links its dependencies from this repository.
 */
export async function install(tarball: string, project: string): Promise<'npm' | 'linked'> {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"name":"shop","private":true,"type":"module"}\n');
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
  const args = ['install', '--offline', '--ignore-scripts=false', ...quiet, tarball];
  const byNpm = await runs('npm', args, { cwd: project, env: ownEnvironment() });
  if (byNpm.code !== 0) await linked(tarball, project);
  return byNpm.code === 0 ? 'npm' : 'linked';
}

/** The environment without the settings of an npm script that runs this; the cache folder is kept. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = ([name]: [string, unknown]) => !/^npm_/i.test(name) || /^npm_config_cache$/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(kept));
}

async function linked(tarball: string, project: string): Promise<void> {
  const folder = join(project, 'node_modules', basename(tarball).replace(/-[\d.]+tgz$/, ''));
  mkdirSync(folder, { recursive: true });
  await printed('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) link(name, project);
}

export function link(name: string, project: string): void {
  const to = join(project, 'node_modules', name);
  if (existsSync(to)) return;
  mkdirSync(join(to, '..'), { recursive: true });
  symlinkSync(join(MODULES, name), to);
}
