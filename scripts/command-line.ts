import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The options of a command line. On one that is wrong, or `--help`, prints what is wrong and the usage, and exits. */
export function readCommandLine<const O extends ParseArgsOptionsConfig>(options: O, usage: string) {
  try {
    if (!process.argv.includes('--help')) return parseArgs({ options }).values;
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`);
    process.exit(1);
  }
}
