import type { Id } from './ids.ts';

/** Who makes a change, for the audit log. */
export interface Actor {
  /** A user of the back office; null for the service and the command line. */
  readonly userId: Id<'usr'> | null;
  /** The user's e-mail, or `service`, `command line`. */
  readonly name: string;
  /** The network address of the call; null when there is none. */
  readonly address: string | null;
}

export const SERVICE: Actor = Object.freeze({ userId: null, name: 'service', address: null });

export const COMMAND_LINE: Actor = Object.freeze({ userId: null, name: 'command line', address: null });
