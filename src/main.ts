import { startApp, startSandboxAlone } from './app.ts';
import { readConfig } from './config.ts';
import { welcome } from './demo.ts';
import { errorText, OperatorError } from './kernel/errors.ts';

interface Running {
  close(): Promise<void>;
}

// Heard from the first moment: a stop that comes during the start takes effect when the start is through.
const stopAsked = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

try {
  const running = process.argv[2] === 'sandbox' ? await runSandbox() : await runService();
  await stopAsked;
  // A second signal does not wait.
  process.once('SIGTERM', () => process.exit(1));
  process.once('SIGINT', () => process.exit(1));
  await running.close();
  process.exit(0);
} catch (error) {
  const line = error instanceof OperatorError ? error.message : `the service failed: ${errorText(error)}`;
  process.stderr.write(`${line}\n`, () => process.exit(1));
}

async function runService(): Promise<Running> {
  const app = await startApp(readConfig(process.env));
  const text = await welcome(app);
  if (text !== null) process.stdout.write(text);
  return app;
}

async function runSandbox(): Promise<Running> {
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
