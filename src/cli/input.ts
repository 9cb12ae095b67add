import { parseArgs } from 'node:util';
import { errorText, OperatorError } from '../kernel/errors.ts';
import type { Id, IdPrefix } from '../kernel/ids.ts';
import type { CommandForm } from './form.ts';
import { readInstant } from './instant.ts';

/** The form of a command, as it is to be typed. */
export function usageOf(command: CommandForm): string {
  return `${command.name} ${command.usage}`.trim();
}

/** Reads what was typed after the command's name. Throws OperatorError with what is wrong and the right form. */
export function readInput(command: CommandForm, args: readonly string[]): Input {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: command.options,
      allowPositionals: true,
      strict: true,
    });
    const input = new Input(command, values, positionals);
    const missing = command.words[positionals.length];
    if (missing !== undefined) throw input.wrong(`${missing} is missing`);
    const surplus = positionals[command.words.length];
    if (surplus !== undefined) throw input.wrong(`${JSON.stringify(surplus)} is one word too many`);
    return input;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    // The parser's first sentence names the option; the rest is advice for other programs.
    const said = errorText(error).replace(/^ERR_PARSE_ARGS_\w+: /, '');
    throw new OperatorError(`${said.split(/[.?]\s/)[0]}; the form is: ${usageOf(command)}`);
  }
}

/** The words and options of one call, read with checks. Every method throws OperatorError on a bad value. */
export class Input {
  readonly #command: CommandForm;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #words: readonly string[];

  constructor(command: CommandForm, values: Readonly<Record<string, unknown>>, words: readonly string[]) {
    this.#command = command;
    this.#values = values;
    this.#words = words;
  }

  wrong(what: string): OperatorError {
    return new OperatorError(`${what}; the form is: ${usageOf(this.#command)}`);
  }

  /** The word at `place`, from 0. */
  word(place: number): string {
    const word = this.#words[place];
    if (word === undefined) throw this.wrong(`${this.#command.words[place]} is missing`);
    return word;
  }

  /** The word at `place` as an id of this kind. */
  id<P extends IdPrefix>(prefix: P, place: number): Id<P> {
    return this.#asId(prefix, this.word(place), this.#command.words[place] ?? 'ID');
  }

  /** An option's id of this kind; undefined when it is not given. */
  idOption<P extends IdPrefix>(prefix: P, name: string): Id<P> | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#asId(prefix, text, `--${name}`);
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  required(name: string): string {
    const text = this.text(name);
    if (text === undefined) throw this.wrong(`--${name} is missing`);
    return text;
  }

  /** Every value of an option that may be given several times. */
  many(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  /** Whether a switch is on. */
  on(name: string): boolean {
    return this.#values[name] === true;
  }

  truth(name: string): boolean | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (text === 'true' || text === 'false') return text === 'true';
    throw this.wrong(`--${name} is true or false, not ${JSON.stringify(text)}`);
  }

  /** A number of at least 0. */
  number(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) {
      throw this.wrong(`--${name} is a number, not ${JSON.stringify(text)}`);
    }
    return Number(text);
  }

  /** A whole number of at least 0; undefined when it is not given. */
  whole(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) {
      throw this.wrong(`--${name} is a whole number, not ${JSON.stringify(text)}`);
    }
    return Number(text);
  }

  /** An instant or a day that must be given, in UTC milliseconds. */
  instant(name: string): number {
    const text = this.required(name);
    const instant = readInstant(text);
    if (instant !== null) return instant;
    throw this.wrong(
      `--${name} is an instant such as 2026-01-31T12:00:00Z or a day such as 2026-01-31, not ${JSON.stringify(text)}`,
    );
  }

  /** `--limit` and `--after`. */
  page(limits: { limit: number; limitMax: number }): { limit: number; after: string | undefined } {
    const limit = this.number('limit', limits.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > limits.limitMax) {
      throw this.wrong(`--limit is a whole number from 1 to ${limits.limitMax}, not ${limit}`);
    }
    return { limit, after: this.text('after') };
  }

  #asId<P extends IdPrefix>(prefix: P, text: string, name: string): Id<P> {
    if (!text.startsWith(`${prefix}_`)) {
      throw this.wrong(`${name} is an id such as ${prefix}_…, not ${JSON.stringify(text)}`);
    }
    return text as Id<P>;
  }
}
