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
  /** What the answer shows to be wrong: one line on standard error after it, and exit 1. */
  failure?: string | undefined;
}

/** `report` tells a person at the terminal, by lines on standard error, how far a long command is. */
export type Run = (deps: CliDeps, input: Input, report: (line: string) => void) => Promise<Answer>;

/** What a command has that needs no installation: it runs on machines that have no database and no secret key. */
export interface Alone {
  json: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** See `Run`. */
  report: (line: string) => void;
}

export type RunAlone = (input: Input, alone: Alone) => Promise<Answer>;

/** One command of the table. `load` brings the command's module: each run pays for the one that it needs. */
export type Command = CommandForm & {
  summary: string;
} & ({ load(): Promise<Run> } | { loadAlone(): Promise<RunAlone> });
