import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// As in main.ts. The modules are imported afterwards, so that their compiled code is read from the cache.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { runCli } = await import('./cli/run.ts');

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader like `head` closes the pipe early, which is not a failure.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`cannot write to standard output: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await runCli(process.argv.slice(2), process.env, {
  out: process.stdout,
  err: process.stderr,
  command: process.argv[1]?.endsWith('cli.ts') ? 'npm run --silent service --' : 'payment-collection-service',
});
