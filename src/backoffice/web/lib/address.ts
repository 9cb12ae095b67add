import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { lisbonDayStart } from '../../../kernel/lisbon.ts';

type Members = Readonly<Record<string, string | null | undefined>>;

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

/** What is open in a drawer, by ID. Opening adds a history entry, so that Back closes the drawer. */
export function useAddressDrawer(name: string) {
  const [params, setParams] = useSearchParams();
  return {
    shown: params.get(name),
    open: (id: string) => setParams((now) => merged(now, { [name]: id }), { state: { drawer: name } }),
    close() {
      if (history.state?.drawer === name) history.back();
      else setParams((now) => merged(now, { [name]: null }), { replace: true });
    },
  };
}

/** The text of a search box in the address. */
export const SEARCH: Addressed<string> = {
  read: (params) => params.get('search') ?? '',
  write: (search) => ({ search }),
};

/** Returns the value if it is one of the known values. */
export function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((each) => each === value) ?? null;
}

/** Returns a day of the URL, `YYYY-MM-DD`; empty when there is no such day. */
export function dayOf(params: URLSearchParams, name: string): string {
  const text = params.get(name) ?? '';
  return lisbonDayStart(text) === null ? '' : text;
}

type ChosenMerchant = { readonly merchantId: string; readonly name: string } | null;

const ID_LENGTH_MAX = 100;

/** Returns an ID of the URL; null without one, or when it is longer than any ID. */
export function idIn(params: URLSearchParams, name: string): string | null {
  const id = params.get(name) ?? '';
  return id === '' || id.length > ID_LENGTH_MAX ? null : id;
}

/** Returns the merchant of the URL; the name saves the picker a request. */
export function merchantOf(params: URLSearchParams): ChosenMerchant {
  const merchantId = idIn(params, 'merchant');
  return merchantId !== null ? { merchantId, name: params.get('name') ?? merchantId } : null;
}

/** Returns the members for a merchant. */
export function merchantIn(chosen: ChosenMerchant) {
  return { merchant: chosen?.merchantId ?? null, name: chosen?.name ?? null };
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
