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

export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
}

/** One command of the table. */
export interface Command {
  /** As typed: `merchant create`. */
  name: string;
  /** What follows the name, in the order and form to be typed. */
  usage: string;
  summary: string;
  /** Names of the words that must follow, options apart. */
  words: readonly string[];
  options: Readonly<Record<string, Option>>;
  /** Loads the command's module: each run pays for the one that it needs. */
  load(): Promise<Run>;
}
