import type { CommandForm } from './form.ts';
import type { Input } from './input.ts';
import type { CliDeps } from './open.ts';

/** What a command gives back. */
export interface Answer {
  /** Standard output: one object or array with `--json`, else as text. */
  value?: unknown;
  /** Standard output in place of a value, piece by piece, as it is. */
  stream?: AsyncIterable<string>;
  /** One line for the person at the terminal, on standard error. */
  note?: string;
}

export type Run = (deps: CliDeps, input: Input) => Promise<Answer>;

/** One command of the table. */
export interface Command extends CommandForm {
  summary: string;
  /** Loads the command's module: each run pays for the one that it needs. */
  load(): Promise<Run>;
}
