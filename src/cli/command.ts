import type { CommandForm } from './form.ts';
import type { Input } from './input.ts';
import type { CliDeps } from './open.ts';

/** What a command gives back. */
export interface Answer {
  /** Standard output: one object or array with `--json`, else as text. */
  value?: unknown;
  /** Standard output in place of a value, piece by piece, as it is. */
  stream?: AsyncIterable<string>;
  /** The same for a list of any length: one JSON array with `--json`, else one JSON object a line. */
  items?: AsyncIterable<unknown>;
  /** One line for the person at the terminal, on standard error. */
  note?: string;
}

/** `report` tells a person at the terminal, by lines on standard error, how far a long command is. */
export type Run = (deps: CliDeps, input: Input, report: (line: string) => void) => Promise<Answer>;

/** One command of the table. */
export interface Command extends CommandForm {
  summary: string;
  /** Loads the command's module: each run pays for the one that it needs. */
  load(): Promise<Run>;
}
