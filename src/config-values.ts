import { OperatorError } from './kernel/errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Returns a proxy of `env` that records the names read from it. */
export function recordReads(env: Env): { recorded: Env; names: ReadonlySet<string> } {
  const names = new Set<string>();
  const recorded = new Proxy(env, {
    get(target, name) {
      names.add(String(name));
      return target[String(name)];
    },
  });
  return { recorded, names };
}

/** Returns the error for a variable: one line with its name and the required value. */
export function bad(name: string, what: string): OperatorError {
  return new OperatorError(`${name} ${what}`);
}

/** Returns the trimmed value, or null when it is unset or blank. */
export function text(env: Env, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

export function truth(env: Env, name: string, fallback: boolean): boolean {
  const value = text(env, name);
  if (value === null) return fallback;
  if (value === 'true' || value === 'false') return value === 'true';
  throw bad(name, `must be true or false, not ${JSON.stringify(value)}`);
}

export function number(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(parsed >= min && parsed <= max)) {
    throw bad(name, `must be a number from ${min} to ${max}, not ${JSON.stringify(value)}`);
  }
  return parsed;
}

export function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = number(env, name, fallback, min, max);
  if (!Number.isInteger(value)) throw bad(name, `must be a whole number from ${min} to ${max}`);
  return value;
}

export function choice<const T extends string>(
  env: Env,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = text(env, name);
  if (value === null) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw bad(name, `must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
  return found;
}

/** Returns an http(s) address to which paths can be appended: in its standard form, without trailing slashes. */
export function url(env: Env, name: string): string | null {
  const value = text(env, name);
  if (value === null) return null;
  const parsed = URL.parse(value);
  const isAddress = parsed?.username === '' && parsed.password === '' && !/[?#]/.test(value);
  if (!isAddress || !['http:', 'https:'].includes(parsed.protocol)) {
    throw bad(name, 'must be an http or https address without credentials, query or fragment');
  }
  return parsed.href.replace(/\/+$/, '');
}
