import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { usageOf } from './input.ts';

/** The overview of all commands, each typed after `typed`. */
export function overview(typed = 'npm run --silent service --'): string {
  const entries = COMMANDS.map((command) => `  ${usageOf(command)}\n      ${command.summary}`);
  return [
    'The commands of the payment collection service. They work while it runs; changes count from the next call.',
    '',
    `  ${typed} COMMAND [--json]`,
    '',
    ...entries,
    '',
    'With --json the answer is one JSON object or array. The settings are those of the service (SERVICE_…).',
    '',
  ].join('\n');
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  return `${usageOf(command)} [--json]\n    ${command.summary}\n`;
}

/** The same for programs. */
export function describe(
  commands: readonly Command[],
): { command: string; usage: string; summary: string }[] {
  return commands.map(({ name, usage, summary }) => ({ command: name, usage, summary }));
}
