import type { TRPCClientError, TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { BackofficeRouter } from '../../router.ts';
import { isFault } from '../lib/faults.ts';

type Answer = (signedIn: boolean) => void;

/** Calls that wait for the user to sign in again; null while the dialog is closed. */
let waiting: readonly Answer[] | null = null;
/** Set while and after the user signs out, or declines to sign in again. */
let leaving = false;
const listeners = new Set<() => void>();

/** Returns whether the user has to sign in again. */
export const isExpired = (): boolean => waiting !== null;

export function onExpiry(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Repeats the waiting calls, or lets them fail. */
export function settleExpiry(signedIn: boolean): void {
  leaving = !signedIn;
  const answers = waiting ?? [];
  change(null);
  for (const answer of answers) answer(signedIn);
}

/**
 * Holds calls that are refused because the session has ended, and repeats them after the user signs in again, so that the page
 * keeps its state and input. `signedInBefore` distinguishes an ended session from a visitor without one.
 */
export function expiryLink(signedInBefore: () => boolean): TRPCLink<BackofficeRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let stopped = false;
        let call: { unsubscribe(): void } | undefined;
        if (op.path === 'session.signOut') leaving = true;
        const again = (otherwise: () => void) => {
          if (leaving || !signedInBefore()) return otherwise();
          ask((signedIn) => {
            if (stopped) return;
            if (signedIn) start();
            else otherwise();
          });
        };
        const start = () => {
          call = next(op).subscribe({
            next(value) {
              if (op.path === 'session.signIn' || op.path === 'session.passkeySignIn') leaving = false;
              if (op.path === 'session.current' && userOf(value.result) === null)
                return again(() => pass(value));
              pass(value);
            },
            error(error: TRPCClientError<BackofficeRouter>) {
              if (op.path === 'session.signOut') leaving = false;
              if (isFault(error, 'UNAUTHORIZED')) again(() => observer.error(error));
              else observer.error(error);
            },
          });
        };
        const pass = (value: Parameters<typeof observer.next>[0]) => {
          observer.next(value);
          observer.complete();
        };
        start();
        return () => {
          stopped = true;
          call?.unsubscribe();
        };
      });
}

function ask(answer: Answer): void {
  change([...(waiting ?? []), answer]);
}

function change(next: readonly Answer[] | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

function userOf(result: object): unknown {
  const { data } = result as { data?: { user?: unknown } };
  return data?.user ?? null;
}
