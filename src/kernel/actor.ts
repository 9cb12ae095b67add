import type { Id } from './ids.ts';

/** Who does something, and from where: what the audit log says of every change. */
export interface Actor {
  /** Null for whoever is no user of the back office: the service itself, the command line. */
  readonly userId: Id<'usr'> | null;
  /** The user's e-mail, or `service`, `command line`. */
  readonly name: string;
  /** The network address that the call came from; null when it came from none. */
  readonly address: string | null;
}

/** The service acting by itself. */
export const SERVICE: Actor = Object.freeze({ userId: null, name: 'service', address: null });

/** Whoever may run commands on the machine. */
export const COMMAND_LINE: Actor = Object.freeze({ userId: null, name: 'command line', address: null });
