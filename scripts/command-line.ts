import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Parses the command line. On a wrong option or `--help`, prints the usage and exits. */
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

/** Reads an option that is a whole number from 1 to `max`. Otherwise prints the usage and exits. */
export function wholeNumber(
  name: string,
  text: string,
  usage: string,
  max = Number.MAX_SAFE_INTEGER,
): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= max) return value;
  process.stderr.write(`--${name} must be a whole number from 1 to ${max}\n${usage}\n`);
  process.exit(1);
}
