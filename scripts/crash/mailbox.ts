import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { listen } from '../../test/support/listen.ts';
import type { Prng } from '../sim/prng.ts';

export interface Mail {
  to: string;
  kind: string;
  messageId: string;
  /** UTC milliseconds. */
  at: number;
}

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** Weights of the mail server's responses; `slow` accepts the mail before it responds late. */
const BEHAVIOURS = { ok: 60, slow: 35, busy: 5 };
const SLOW_MS = [200, 1500] as const;
const BUSY = 451;

/** A mail server that records what it accepts. */
export async function openMailbox(prng: Prng) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    async onData(stream, { envelope }, done) {
      // A killed service breaks the connection.
      const mail = await text(stream).catch(() => null);
      if (mail === null) return done(new Error('incomplete'));
      const header = (name: string) => new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(mail)?.[1] ?? '';
      const behaviour = prng.weighted(BEHAVIOURS);
      if (behaviour === 'busy') return done(Object.assign(new Error('busy'), { responseCode: BUSY }));
      for (const { address } of envelope.rcptTo) {
        const kind = header('X-Service-Mail-Kind');
        mails.push({ to: address, kind, messageId: header('Message-ID'), at: Date.now() });
      }
      if (behaviour === 'slow') await wait(prng.int(...SLOW_MS));
      done();
    },
  });
  server.on('error', () => {});
  const port = await listen(server.server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: mails as readonly Mail[],
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
