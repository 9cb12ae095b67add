import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];
/** Where it is unpacked. Another number unpacks it again. */
const HOME = join(import.meta.dirname, '../../node_modules/.cache/chromium-1');

let shared: Promise<Browser> | undefined;

/** Contexts that the next file of this process uses again. */
export const kept = new Set<BrowserContext>();

/** Returns the browser of this process, which ends with it; closes its other contexts by `whenOver`, vitest's `afterAll`. */
export function sharedBrowser(whenOver: (cleanUp: () => Promise<void>) => void): Promise<Browser> {
  shared ??= openBrowser();
  const browser = shared;
  whenOver(async () => {
    const contexts = (await browser).contexts().filter((context) => !kept.has(context));
    await Promise.all(contexts.map((context) => context.close()));
  });
  return browser;
}

/** Starts the headless Chromium of the installed packages. */
export async function openBrowser(): Promise<Browser> {
  const home = await unpacked();
  const executablePath = join(home, 'chromium');
  const env = { ...process.env, FONTCONFIG_FILE: join(home, 'fonts.conf') };
  return await chromium.launch({
    executablePath,
    env: startsWith(executablePath, env) ? env : { ...env, LD_LIBRARY_PATH: join(home, 'al2023', 'lib') },
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--no-zygote'],
  });
}

/** Whether the machine has the shared libraries; if not, those of the package are used. */
function startsWith(executablePath: string, env: NodeJS.ProcessEnv): boolean {
  try {
    execFileSync(executablePath, ['--version', '--no-sandbox'], { env, stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** The folder of the unpacked browser. Concurrent runs unpack separately, and the first to finish renames its folder. */
async function unpacked(): Promise<string> {
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin');
  if (existsSync(HOME)) return HOME;
  mkdirSync(dirname(HOME), { recursive: true });
  const making = mkdtempSync(`${HOME}-`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = making;
  try {
    await Promise.all(ARCHIVES.map((archive) => inflate(join(packed, archive))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  mkdirSync(join(making, 'cache'));
  const folders = ['/usr/share/fonts', join(HOME, 'fonts')].map((folder) => `<dir>${folder}</dir>`).join('');
  writeFileSync(
    join(making, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${join(HOME, 'cache')}</cachedir></fontconfig>`,
  );
  try {
    renameSync(making, HOME);
  } catch {
    rmSync(making, { recursive: true, force: true });
  }
  return HOME;
}
