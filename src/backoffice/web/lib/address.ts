import { useMemo, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { lisbonDayStart } from '../../../kernel/lisbon.ts';
import { useIsGone } from './is-gone.ts';

type Members = Readonly<Record<string, string | null | undefined>>;

/** What a field selects: an ID and the name that is shown. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** The format of a page's state in the query of its URL. */
export interface Addressed<T> {
  /** Reads the state; unknown values count as absent. */
  read(params: URLSearchParams): T;
  /** Returns the members; empty and null ones are omitted from the URL. */
  write(state: T): Members;
}

/** State of a page that is kept in its URL, so that it survives Back, reload and a bookmark. Keeps the other members. */
export function useAddressState<T>({ read, write }: Addressed<T>): readonly [T, (next: T) => void] {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const state = useMemo(() => read(new URLSearchParams(text)), [text, read]);
  return [state, (next) => setParams((now) => merged(now, write(next)), { replace: true })];
}

/** The same for a state of several parts, of which a change names some. */
export function useAddressFilters<T extends object>(
  format: Addressed<T>,
): readonly [T, (changes: Partial<T>) => void] {
  const [state, setState] = useAddressState(format);
  return [state, (changes) => setState({ ...state, ...changes })];
}

/** The props of the fields that show and change such a state. */
export interface FilterProps<T> {
  readonly filters: T;
  readonly onChange: (changes: Partial<T>) => void;
}

/** What is open in a drawer, by ID. Opening adds a history entry, so that Back closes the drawer. */
export function useAddressDrawer(name: string) {
  const [params, setParams] = useSearchParams();
  const shown = params.get(name);
  const leaving = useRef(false);
  const isGone = useIsGone();
  return {
    shown,
    open(id: string) {
      // A new row is shown only where it was created.
      if (!isGone()) setParams((now) => merged(now, { [name]: id }), { state: { drawer: name } });
    },
    close() {
      // The drawer takes clicks until the browser has gone back and it has faded out.
      if (leaving.current || shown === null) return;
      if (history.state?.drawer !== name)
        return setParams((now) => merged(now, { [name]: null }), { replace: true });
      leaving.current = true;
      const onLeft = () => {
        leaving.current = false;
      };
      window.addEventListener('popstate', onLeft, { once: true });
      history.back();
    },
  };
}

/** The format of a state of several parts. */
export function addressOf<T extends object>(
  parts: { readonly [K in keyof T]: Addressed<T[K]> },
): Addressed<T> {
  const names = Object.keys(parts) as (keyof T)[];
  return {
    read: (params) => Object.fromEntries(names.map((name) => [name, parts[name].read(params)])) as T,
    write: (state) => Object.assign({}, ...names.map((name) => parts[name].write(state[name]))),
  };
}

/** The state that has this format. */
export type StateOf<A> = A extends Addressed<infer T> ? T : never;

/** One of the known values; null for none. */
export const choice = <const T extends string>(name: string, known: readonly T[]): Addressed<T | null> => ({
  read: (params) => oneOf(known, params.get(name)),
  write: (value) => ({ [name]: value }),
});

/** One of the known values, the first one by default. */
export const setting = <const T extends string>(name: string, known: readonly [T, ...T[]]): Addressed<T> => ({
  read: (params) => oneOf(known, params.get(name)) ?? known[0],
  write: (value) => ({ [name]: value === known[0] ? null : value }),
});

/** A text; empty for none. */
export const text = (name: string): Addressed<string> => ({
  read: (params) => params.get(name) ?? '',
  write: (value) => ({ [name]: value }),
});

/** A day, `YYYY-MM-DD`; empty when there is no such day. */
export const day = (name: string): Addressed<string> => ({
  read(params) {
    const value = params.get(name) ?? '';
    return lisbonDayStart(value) === null ? '' : value;
  },
  write: (value) => ({ [name]: value }),
});

const ID_LENGTH_MAX = 100;

/** A chosen option; null for none, or when its ID is longer than any ID. Its label saves the field a request. */
const option = (idName: string, labelName: string): Addressed<Option | null> => ({
  read(params) {
    const value = params.get(idName) ?? '';
    if (value === '' || value.length > ID_LENGTH_MAX) return null;
    return { value, label: params.get(labelName) ?? value };
  },
  write: (chosen) => ({ [idName]: chosen?.value, [labelName]: chosen?.label }),
});

export const SEARCH = text('search');
export const MERCHANT = option('merchant', 'name');
export const USER = option('user', 'email');

function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((each) => each === value) ?? null;
}

/** Returns the first instant of a day in an address, that of 1970 for earlier days; undefined without a day. */
export function startOfDay(day: string): number | undefined {
  const start = lisbonDayStart(day);
  return start === null ? undefined : Math.max(0, start);
}

/** Returns the members as query parameters, without empty ones. */
export function queryOf(members: object): URLSearchParams {
  const given = Object.entries(members).filter(([, value]) => value != null && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

function merged(params: URLSearchParams, changes: Members): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (!value) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
