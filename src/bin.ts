#!/usr/bin/env node
// The command of the package: the service, the sandbox bank, or a command of the command line.

/** The lowest version that the server's libraries support. */
const NODE_MIN = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [word] = process.argv.slice(2);

if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  process.stderr.write(
    `The payment collection service needs Node.js ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}. Its client runs on 18.\n`,
  );
  process.exitCode = 1;
} else if (word === undefined || word === 'start' || word === 'sandbox') {
  await import('./main.ts');
} else {
  await import('./cli.ts');
}
