import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { BackofficeRouter } from '../../router.ts';
import { GaveUp, isFault } from './faults.ts';

/** What the held calls need: a new session, or a confirmation in the present one. */
export type Need = 'signIn' | 'confirm';

interface Held {
  readonly need: Need;
  readonly answer: (given: boolean) => void;
}

let held: readonly Held[] = [];
/** Set while and after the user signs out, or declines to sign in again. */
let leaving = false;
const listeners = new Set<() => void>();

/** Returns what the user is asked for; null while no call is held. Signing in comes first, because it confirms too. */
export function neededNow(): Need | null {
  if (held.length === 0) return null;
  return held.some(({ need }) => need === 'signIn') ? 'signIn' : 'confirm';
}

export function onNeed(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Repeats the held calls, or lets them fail. */
export function settleHeld(given: boolean): void {
  const settled = held;
  if (neededNow() === 'signIn') leaving = !given;
  change([]);
  for (const { answer } of settled) answer(given);
}

/**
 * Holds calls that are refused because the session has ended or the server asks for the password, and repeats them after the
 * user's answer, so that the page keeps its state and input. A confirmation that the user cancels ends in GaveUp.
 * `signedInBefore` distinguishes an ended session from a visitor without one.
 */
export function heldCallsLink(signedInBefore: () => boolean): TRPCLink<BackofficeRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let stopped = false;
        let call: { unsubscribe(): void } | undefined;
        if (op.path === 'session.signOut') leaving = true;
        const again = (need: Need, otherwise: () => void) => {
          if (need === 'signIn' && (leaving || !signedInBefore())) return otherwise();
          const answer = (given: boolean) => {
            if (stopped) return;
            if (given) start();
            else otherwise();
          };
          change([...held, { need, answer }]);
        };
        const start = () => {
          call = next(op).subscribe({
            next(value) {
              if (op.path === 'session.signIn' || op.path === 'session.passkeySignIn') leaving = false;
              if (op.path === 'session.current' && userOf(value.result) === null)
                return again('signIn', () => pass(value));
              pass(value);
            },
            error(error: TRPCClientError<BackofficeRouter>) {
              if (op.path === 'session.signOut') leaving = false;
              if (isFault(error, 'UNAUTHORIZED')) again('signIn', () => observer.error(error));
              else if (isFault(error, 'REAUTHENTICATE'))
                again('confirm', () => observer.error(TRPCClientError.from(new GaveUp())));
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

function change(next: readonly Held[]): void {
  held = next;
  for (const listener of listeners) listener();
}

function userOf(result: object): unknown {
  const { data } = result as { data?: { user?: unknown } };
  return data?.user ?? null;
}
