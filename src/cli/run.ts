import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorText, OperatorError, ServiceError } from '../kernel/errors.ts';
import type { Answer, Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, describe, overview } from './help.ts';
import { readInput } from './input.ts';
import { asArray, asLines } from './items.ts';
import { printable, readable } from './text.ts';

export interface Terminal {
  out: Writable;
  err: Writable;
  /** What is typed in front of a command's name, for the help. */
  command?: string;
}

/** Runs one command line. Resolves to the exit code: 0, or 1 with one line on standard error. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<0 | 1> {
  try {
    const json = args.includes('--json');
    const answer = await answerTo(
      args.filter((arg) => arg !== '--json'),
      env,
      json,
      terminal,
    );
    if (answer === null) return 0;
    await print(answer, json, terminal);
    if (answer.failure === undefined) return 0;
    terminal.err.write(`${printable(answer.failure)}\n`);
    return 1;
  } catch (error) {
    terminal.err.write(`${failureLine(error)}\n`);
    return 1;
  }
}

/** Null when the answer has been written already. */
async function answerTo(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  json: boolean,
  terminal: Terminal,
): Promise<Answer | null> {
  const asked = args.filter((arg) => arg !== '--help' && arg !== '-h');
  const help = asked.length < args.length || asked[0] === 'help' || asked.length === 0;
  const words = asked[0] === 'help' ? asked.slice(1) : asked;
  if (help) return helpFor(words, json, terminal.command);

  const command = findCommand(words);
  const input = readInput(command, words.slice(command.name.split(' ').length));
  const report = (line: string) => {
    if (!json) terminal.err.write(`${line}\n`);
  };
  if ('loadAlone' in command) return await (await command.loadAlone())(input, { json, env, report });
  const run = await command.load();
  const { openCli } = await import('./open.ts');
  const deps = await openCli(env);
  try {
    const answer = await run(deps, input, report);
    if (answer.stream === undefined && answer.items === undefined) return answer;
    // A stream reads the database while it is written: it ends before the database is closed.
    await print(answer, json, terminal);
    return null;
  } finally {
    await deps.close();
  }
}

function helpFor(words: readonly string[], json: boolean, typed?: string): Answer {
  if (words.length === 0) return json ? { value: describe(COMMANDS) } : { stream: once(overview(typed)) };
  const command = findCommand(words);
  return json ? { value: describe([command]) } : { stream: once(commandHelp(command)) };
}

function findCommand(words: readonly string[]): Command {
  const found = COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (found) return found;
  const forms = COMMANDS.map(({ name }) => name).filter((name) => name.startsWith(`${words[0]} `));
  const typed = JSON.stringify(words.slice(0, 2).join(' '));
  throw new OperatorError(
    forms.length > 0
      ? `there is no command ${typed}; there is ${forms.join(', ')}`
      : `there is no command ${typed}; "help" lists them all`,
  );
}

async function print(answer: Answer, json: boolean, { out, err }: Terminal): Promise<void> {
  if (answer.stream !== undefined) {
    await pipeline(answer.stream, out, { end: false });
  } else if (answer.items !== undefined) {
    await pipeline(json ? asArray(answer.items) : asLines(answer.items), out, { end: false });
  } else {
    out.write(json ? `${JSON.stringify(answer.value)}\n` : readable(answer.value));
  }
  if (answer.note !== undefined) err.write(`${answer.note}\n`);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function failureLine(error: unknown): string {
  const meant = error instanceof OperatorError || error instanceof ServiceError;
  return printable(meant ? error.message : `the command failed: ${errorText(error)}`);
}
