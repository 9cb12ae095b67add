import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorText, OperatorError, ServiceError } from '../kernel/errors.ts';
import { VERSION } from '../version.ts';
import type { Answer, Cli, Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { readInput, usageOf } from './input.ts';
import { printable, readable } from './output.ts';

export interface Terminal {
  out: Writable;
  err: Writable;
  /** The program's name in the help. */
  command?: string;
}

/** Runs one command line. Resolves to the exit code: 0, or another with one line on standard error. */
export async function runCli(args: readonly string[], env: Cli['env'], terminal: Terminal): Promise<number> {
  const json = args.includes('--json');
  const words = args.filter((arg) => arg !== '--json');
  let close = async () => {};
  try {
    const answer =
      versionFor(words, json) ??
      helpFor(words, json, terminal.command) ??
      (await runCommand(words, {
        json,
        env,
        report: (line) => json || terminal.err.write(`${line}\n`),
        async open(options) {
          const { openCli } = await import('./open.ts');
          const deps = await openCli(env, options);
          close = deps.close;
          return deps;
        },
      }));
    await print(answer, json, terminal);
    if (answer.failure === undefined) return 0;
    terminal.err.write(`${printable(answer.failure)}\n`);
    return answer.exitCode ?? 1;
  } catch (error) {
    const isExpected = error instanceof OperatorError || error instanceof ServiceError;
    const line = isExpected ? error.message : `the command failed: ${errorText(error)}`;
    terminal.err.write(`${printable(line)}\n`);
    return 1;
  } finally {
    await close();
  }
}

function runCommand(words: readonly string[], cli: Cli): Promise<Answer> {
  const command = findCommand(words);
  return command.run(readInput(command, words.slice(command.name.split(' ').length)), cli);
}

function findCommand(words: readonly string[]): Command {
  const found = COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (found) return found;
  const typed = JSON.stringify(words.slice(0, 2).join(' '));
  const names = COMMANDS.map(({ name }) => name).filter((name) => name.startsWith(`${words[0]} `));
  const choice = names.length > 0 ? `choose one of: ${names.join(', ')}` : '"help" lists all commands';
  throw new OperatorError(`unknown command ${typed}; ${choice}`);
}

function versionFor(words: readonly string[], json: boolean): Answer | null {
  if (words[0] !== '--version') return null;
  return json ? { value: { version: VERSION } } : { stream: [`${VERSION}\n`] };
}

/** The help, or null when a command is to be run. */
function helpFor(words: readonly string[], json: boolean, typed?: string): Answer | null {
  const rest = words.filter((word) => word !== '--help' && word !== '-h');
  const isHelp = rest.length < words.length || rest.length === 0 || rest[0] === 'help';
  if (!isHelp) return null;
  const topic = rest[0] === 'help' ? rest.slice(1) : rest;
  const commands = topic.length === 0 ? COMMANDS : [findCommand(topic)];
  if (json) return { value: commands.map(({ name, usage, summary }) => ({ command: name, usage, summary })) };
  if (topic.length === 0) return { stream: [overview(typed)] };
  return { stream: commands.map((command) => `${usageOf(command)} [--json]\n    ${command.summary}\n`) };
}

function overview(typed = 'npm run --silent service --'): string {
  return [
    'Commands of the payment collection service. They work while the service runs and take effect with the next call.',
    '',
    `  ${typed} COMMAND [--json]`,
    '',
    ...COMMANDS.map((command) => `  ${usageOf(command)}\n      ${command.summary}`),
    '',
    'With --json, the output is one JSON object or array. Commands read the same SERVICE_… settings as the service. --version prints the version.',
    '',
  ].join('\n');
}

async function print({ stream, value, note }: Answer, json: boolean, { out, err }: Terminal): Promise<void> {
  if (stream !== undefined) await pipeline(stream, out, { end: false });
  else out.write(json ? `${JSON.stringify(value)}\n` : readable(value));
  if (note !== undefined) err.write(`${note}\n`);
}
