import { Session } from 'node:inspector/promises';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { errorText, OperatorError } from './kernel/errors.ts';

interface Running {
  close(): Promise<void>;
}

// Registered before the modules are loaded, so that a stop during the start takes effect after the start.
const stopRequested = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

// A full disk or a closed pipe must not stop the service.
process.stdout.on('error', () => {});

try {
  // Inside the package, because compiled code needs the same trust as its source. A read-only folder disables the cache.
  enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
  const [command = 'start', ...more] = process.argv.slice(2);
  if (command === '--version') {
    const { VERSION } = await import('./version.ts');
    process.stdout.write(`${VERSION}\n`);
    process.exit(0);
  }
  const unknown = command === 'start' || command === 'sandbox' ? more[0] : command;
  if (unknown !== undefined) {
    throw new OperatorError(
      `Unknown argument "${unknown}". Settings are environment variables, such as SERVICE_PORT; commands run with node src/cli.ts`,
    );
  }
  const running = command === 'sandbox' ? await runSandbox() : await runService();
  await stopRequested;
  // A second signal exits immediately.
  process.once('SIGTERM', () => process.exit(1));
  process.once('SIGINT', () => process.exit(1));
  await running.close();
  process.exit(0);
} catch (error) {
  const line = error instanceof OperatorError ? error.message : `The service failed: ${errorText(error)}`;
  process.stderr.write(`${line}\n`, () => process.exit(1));
}

async function runService(): Promise<Running> {
  const [{ startApp }, { readConfig }, { seedDemo, welcome }] = await Promise.all([
    import('./app.ts'),
    import('./config.ts'),
    import('./demo.ts'),
  ]);
  const app = await startApp(readConfig(process.env), { beforeListening: seedDemo });
  const text = await welcome(app);
  if (text !== null) process.stdout.write(text);
  // Node.js saves the compiled code only when the process exits, which a killed process does not.
  flushCompileCache();
  await collectGarbage();
  return app;
}

/** Frees the memory that only the start needed; an idle service allocates too little to trigger V8's collector soon. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

async function runSandbox(): Promise<Running> {
  const [{ startSandboxAlone }, { readConfig }] = await Promise.all([
    import('./app-sandbox.ts'),
    import('./config.ts'),
  ]);
  const { settings } = readConfig(process.env);
  if (settings.bank !== 'sandbox') {
    throw new OperatorError(
      `SERVICE_BANK is ${settings.bank}; the sandbox bank runs only with SERVICE_BANK=sandbox`,
    );
  }
  const sandbox = await startSandboxAlone(settings);
  process.stdout.write(`Sandbox bank (TEST MONEY): phone and ATM at ${sandbox.url}/\n`);
  return sandbox;
}
