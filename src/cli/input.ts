import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { errorText, OperatorError } from '../kernel/errors.ts';
import type { Id, IdPrefix } from '../kernel/ids.ts';
import { type Cents, centsFromEuros } from '../kernel/money.ts';

/** A day, or an instant with a zone; seconds and milliseconds are optional. */
const INSTANT = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export interface CommandForm {
  /** `merchant create` */
  name: string;
  /** The required arguments in capitals, and the options. It is shown in the help, and arguments are parsed by it. */
  usage: string;
  /** The option that can be given several times. */
  repeatable?: string;
}

/** In a usage: an option with the start of its value, which a switch does not have; or a positional argument, `A|B` for either. */
const USAGE_PART = /--([a-z-]+)( [^-[|]\S*)?|\b([A-Z_|]+)\b/g;

/** Returns the names of the positional arguments and the options that the usage shows. */
function syntaxOf({ usage, repeatable }: CommandForm) {
  const words: string[] = [];
  const options: ParseArgsOptionsConfig = {};
  for (const [, option, value, word] of usage.matchAll(USAGE_PART)) {
    if (word !== undefined) words.push(word);
    if (option !== undefined) {
      options[option] = { type: value === undefined ? 'boolean' : 'string', multiple: option === repeatable };
    }
  }
  return { words, options };
}

/** The command with its arguments, as shown in the help and in error messages. */
export function usageOf(command: CommandForm): string {
  return `${command.name} ${command.usage}`.trim();
}

/** Parses the arguments after the command's name. Throws OperatorError with the fault and the usage. */
export function readInput(command: CommandForm, args: readonly string[]): Input {
  const { words, options } = syntaxOf(command);
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    const { values, positionals, tokens } = parsed;
    const input = new Input(command, values, positionals);
    const missing = words[positionals.length];
    if (missing !== undefined) throw input.wrong(`${missing} is missing`);
    const surplus = positionals[words.length];
    if (surplus !== undefined) throw input.wrong(`unexpected argument ${JSON.stringify(surplus)}`);
    const given = tokens.flatMap((token) => (token.kind === 'option' && token.value ? [token.name] : []));
    const twice = given.find((name, at) => name !== command.repeatable && given.indexOf(name) < at);
    if (twice !== undefined) throw input.wrong(`--${twice} is given twice`);
    return input;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    // Only the first sentence names the option.
    const message = errorText(error).replace(/^ERR_PARSE_ARGS_\w+: /, '');
    throw new OperatorError(`${message.split(/[.?]\s/)[0]}. Usage: ${usageOf(command)}`);
  }
}

/** The arguments and options of one call. Every method throws OperatorError on an invalid value. */
export class Input {
  readonly #command: CommandForm;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #words: readonly string[];

  constructor(command: CommandForm, values: Readonly<Record<string, unknown>>, words: readonly string[]) {
    this.#command = command;
    this.#values = values;
    this.#words = words;
  }

  /** An error that names the fault and shows the usage. */
  wrong(fault: string): OperatorError {
    return new OperatorError(`${fault}. Usage: ${usageOf(this.#command)}`);
  }

  /** The positional argument at `index`, from 0. */
  word(index: number): string {
    return this.#words[index] ?? '';
  }

  /** The positional argument at `index` as an id of this kind. */
  id<P extends IdPrefix>(prefix: P, index: number): Id<P> {
    return this.#asId(prefix, this.word(index), syntaxOf(this.#command).words[index] ?? 'ID');
  }

  idOption<P extends IdPrefix>(prefix: P, name: string): Id<P> | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#asId(prefix, text, `--${name}`);
  }

  requiredMerchant(): Id<'mer'> {
    return this.#asId('mer', this.required('merchant'), '--merchant');
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

  many(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  on(name: string): boolean {
    return this.#values[name] === true;
  }

  boolean(name: string): boolean | undefined {
    return this.#parse(name, /^(true|false)$/, 'true or false', (text) => text === 'true');
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#oneOf(name, choices, text);
  }

  requiredChoice<T extends string>(name: string, choices: readonly T[]): T {
    return this.#oneOf(name, choices, this.required(name));
  }

  /** A non-negative number. */
  number(name: string): number | undefined {
    return this.#parse(name, /^\d{1,9}(\.\d{1,6})?$/, 'a number', Number);
  }

  /** An amount of euros. */
  cents(name: string): Cents | null {
    const euros = this.number(name);
    if (euros === undefined) return null;
    const amount = centsFromEuros(euros);
    if (amount === null) throw this.wrong(`--${name} must have at most two decimals`);
    return amount;
  }

  /** A non-negative integer. */
  integer(name: string): number | undefined {
    return this.#parse(name, /^\d{1,15}$/, 'a whole number', Number);
  }

  /** A required instant, or a day that stands for its midnight in UTC. Returns UTC milliseconds. */
  instant(name: string): number {
    const text = this.required(name);
    const [, day] = INSTANT.exec(text) ?? [];
    // Date.parse moves 30 February to March.
    const instant = z.iso.date().safeParse(day).success ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(instant)) return instant;
    throw this.#invalid(name, 'an instant such as 2026-01-31T12:00:00Z or a day such as 2026-01-31', text);
  }

  /** An http or https URL, given as the value of `name`. */
  url(name: string, text: string): URL {
    const url = URL.parse(text);
    if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
    throw this.wrong(`${name} must be an http or https URL, not ${JSON.stringify(text)}`);
  }

  /** `--limit` and `--after`, which is an id of this kind. */
  page<P extends IdPrefix>(
    prefix: P,
    limits = { limit: 100, limitMax: 1000 },
  ): { limit: number; after: Id<P> | undefined } {
    const { limitMax } = limits;
    const limit = this.integer('limit') ?? limits.limit;
    if (limit < 1 || limit > limitMax) {
      throw this.#invalid('limit', `a whole number from 1 to ${limitMax}`, String(limit));
    }
    return { limit, after: this.idOption(prefix, 'after') };
  }

  #oneOf<T extends string>(name: string, choices: readonly T[], text: string): T {
    const known = choices.find((choice) => choice === text);
    if (known === undefined) throw this.#invalid(name, EITHER.format(choices), text);
    return known;
  }

  #parse<T>(name: string, form: RegExp, kind: string, read: (text: string) => T): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!form.test(text)) throw this.#invalid(name, kind, text);
    return read(text);
  }

  #invalid(name: string, kind: string, text: string): OperatorError {
    return this.wrong(`--${name} must be ${kind}, not ${JSON.stringify(text)}`);
  }

  #asId<P extends IdPrefix>(prefix: P, text: string, name: string): Id<P> {
    if (!text.startsWith(`${prefix}_`)) {
      throw this.wrong(`${name} must be an id such as ${prefix}_…, not ${JSON.stringify(text)}`);
    }
    return text as Id<P>;
  }
}
