import type { CommandForm, Input } from './input.ts';
import type { CliDeps, OpenCliOptions } from './open.ts';

export interface Answer {
  /** Printed as one JSON value with `--json`, else as text. */
  value?: unknown;
  /** Printed unchanged. */
  stream?: AsyncIterable<string> | Iterable<string>;
  /** A line for the person at the terminal, on standard error. */
  note?: string;
  /** An error line on standard error after the answer. */
  failure?: string | undefined;
  /** The exit code with a `failure`; 1 by default. */
  exitCode?: number;
}

export interface Cli {
  json: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Prints a line of progress on standard error, except with `--json`. */
  report: (line: string) => void;
  /** Opens the installation that `env` describes. `runCli` closes it once the answer is printed. */
  open: (options?: OpenCliOptions) => Promise<CliDeps>;
}

export interface Command extends CommandForm {
  summary: string;
  /** Runs the command. It imports its slice itself, so that a run loads only the code that it needs. */
  run: (input: Input, cli: Cli) => Promise<Answer>;
}
