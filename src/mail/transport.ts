import { createTransport, type SendMailOptions } from 'nodemailer';
import { request } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { errorText } from '../kernel/errors.ts';

/** The longest time that sending one mail takes. */
export const EXCHANGE_MS_MAX = 30_000;
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[?::1\]?|localhost)$/;

/** The server refused the mail permanently: 5xx. */
export class MailRefused extends Error {}

/** Sends one mail within 30 seconds. Throws MailRefused on a 5xx reply, another error when it may be repeated. */
export type SendMail = (mail: SendMailOptions) => Promise<void>;

/** Sends through the server at `smtpUrl`; without one, to the mailbox of the sandbox at `sandboxUrl`. */
export function createMailTransport(options: {
  clock: Clock;
  smtpUrl: string | null;
  sandboxUrl: string | null;
}): SendMail {
  return async (mail) => {
    const ending = new AbortController();
    const { signal } = ending;
    const cancelTimer = options.clock.timeout(EXCHANGE_MS_MAX, () =>
      ending.abort(new Error(`the mail server did not finish within ${EXCHANGE_MS_MAX / 1000} s`)),
    );
    try {
      const url = options.smtpUrl ?? (await mailboxUrl(options.sandboxUrl ?? '', signal));
      // The signal also closes the connection, so that a slow server cannot accept the mail after its failure is recorded. The
      // driver's timeout of an idle socket is longer: after a pause it would end the exchange before the answer is read.
      await transportTo(new URL(url)).sendMail({ ...mail, signal });
    } catch (error) {
      if (isRefusal(error)) throw new MailRefused(errorText(error), { cause: error });
      throw error;
    } finally {
      cancelTimer();
    }
  };
}

function transportTo(url: URL) {
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    // STARTTLS is used whenever the server offers it; a password requires it.
    requireTLS: url.protocol === 'smtp:' && url.username !== '' && !LOOPBACK.test(url.hostname),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: EXCHANGE_MS_MAX,
    greetingTimeout: EXCHANGE_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** A refused sign-in or a missing STARTTLS is a configuration fault, after which the mail may be retried. */
function isRefusal(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  return typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS';
}

/** Reads the mailbox's port from the sandbox; it may have changed since the last mail. */
async function mailboxUrl(sandboxUrl: string, signal: AbortSignal): Promise<string> {
  const answer = await request(`${sandboxUrl}/control/mailbox`, { signal });
  const { smtpPort } = (await answer.body.json()) as { smtpPort?: unknown };
  if (answer.statusCode !== 200 || typeof smtpPort !== 'number') {
    throw new Error(`the sandbox at ${sandboxUrl} has no mailbox`);
  }
  return `smtp://${new URL(sandboxUrl).hostname}:${smtpPort}`;
}
