import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonHere } from '../../test/cli/support.ts';
import { printed } from '../../test/support/package.ts';
import { endProgram, freePort, hasEnded, type Program, startProgram } from '../../test/support/program.ts';
import { until } from '../../test/support/until.ts';
import type { CallLog } from './call-log.ts';
import type { Endpoint } from './endpoint.ts';

const MAIN = 'src/main.ts';
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const COMMAND_MS_MAX = 60_000;
const STOP_MS_MAX = 60_000;
export const WINDOW_MS = 3000;
export const GRACE_MS = 1000;

/** A service and a sandbox as separate processes, with a database. */
export type Installation = Awaited<ReturnType<typeof install>>;

interface Options {
  /** Whether to use a PostgreSQL database for several processes; otherwise SQLite. */
  databaseUrl?: string;
  processes?: number;
  smtpUrl: string;
}

/** Creates a folder, chooses ports and starts the sandbox, which runs until `close`. */
export async function install(endpoint: Endpoint, { databaseUrl, processes = 1, smtpUrl }: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-crash-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, endpoint.ca);
  const ports: number[] = [];
  while (ports.length < processes) ports.push(await freePort());
  const sandboxPort = await freePort();
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const [url = ''] = urls;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const env = { ...environment(folder, ports[0], sandboxPort), SERVICE_SMTP_URL: smtpUrl };
  const own =
    databaseUrl === undefined
      ? {}
      : { SERVICE_DATABASE_URL: databaseUrl, SERVICE_SECRET_KEY: randomBytes(32).toString('base64') };
  const programs: Program[] = [];
  const launch = (args: readonly string[], more: Record<string, string>) => {
    const program = startProgram(MAIN, args, { ...env, ...more });
    programs.push(program);
    return program;
  };
  const sandbox = launch(['sandbox'], {});
  await until(() => {
    if (hasEnded(sandbox)) throw new Error(`the sandbox ended: ${sandbox.err()}`);
    return sandbox.out().includes(sandboxUrl);
  }, 'the sandbox');
  return {
    url,
    sandboxUrl,
    /** The address of each process of the service; the bank calls the first. */
    urls: urls as readonly string[],
    databaseUrl: databaseUrl ?? env.SERVICE_DATABASE_URL,
    /** The file of the simulated banks. */
    bankFile: join(folder, 'sandbox.db'),
    /** Starts one process of the service. */
    start: (place = 0) =>
      launch([], {
        ...own,
        SERVICE_PORT: String(ports[place]),
        SERVICE_SANDBOX_URL: sandboxUrl,
        NODE_EXTRA_CA_CERTS: ca,
      }),
    /** Runs a command of the operator and returns its JSON output. Rejects when it fails. */
    operator: <T>(args: readonly string[]): Promise<T> => jsonHere(folder, args, { ...env, ...own }),
    /** Opens an account, the default one or a merchant's, and routes both methods of the merchant there. */
    async openAccount(acquirer: 'ifthenpay' | 'eupago', merchantId?: string): Promise<void> {
      const owner = merchantId === undefined ? [] : ['--merchant', merchantId];
      const args = [CLI, 'bank', 'set', ...owner, '--acquirer', acquirer];
      const all = { ...env, ...own, SERVICE_SANDBOX_URL: sandboxUrl };
      await printed(process.execPath, args, { env: all, timeout: COMMAND_MS_MAX });
    },
    /** Ends all processes and removes the folder. */
    async close() {
      await Promise.all(programs.map(endProgram));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function noteEnded(program: Program, { faults }: CallLog): void {
  if (hasEnded(program)) faults.push(`a process ended by itself: ${program.err().trim()}`);
}

/** Stops a process gracefully; a failure is a fault. */
export async function stopProcess(program: Program, log: CallLog): Promise<void> {
  noteEnded(program, log);
  program.kill('SIGTERM');
  const late = setTimeout(() => program.kill('SIGKILL'), STOP_MS_MAX);
  const ended = await program.ended;
  clearTimeout(late);
  if (ended !== 0) log.faults.push(`the stop ended with ${ended}: ${program.err().trim()}`);
}

/** Short windows, so that pushes lapse within the run. */
function environment(folder: string, port: number | undefined, sandboxPort: number) {
  return {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: String(sandboxPort),
    SERVICE_SEED_DEMO: 'false',
    SERVICE_POST_RATE_LIMIT: '0',
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_BANK_TIMEOUT_MS: '1000',
    SERVICE_RECONCILE_SECONDS: '1',
    SERVICE_MBWAY_WINDOW_SECONDS: String(WINDOW_MS / 1000),
    SERVICE_MBWAY_GRACE_SECONDS: String(GRACE_MS / 1000),
    SERVICE_PHONE_PUSHES_PER_HOUR: '1000000',
    SERVICE_ADDRESS_PUSHES_PER_HOUR: '1000000',
    SERVICE_MAIL_FROM: 'payments@service.example',
    SERVICE_AUTO_RECOVER_SECONDS: '1,2,3,4,5,5,5,5,5,5',
    SERVICE_LOG_LEVEL: 'error',
  };
}
