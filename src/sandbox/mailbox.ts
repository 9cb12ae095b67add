import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { z } from 'zod';
import { isoInstant } from '../kernel/clock.ts';
import { errorText } from '../kernel/errors.ts';
import { isOwnMachine } from '../kernel/own-machine.ts';
import type { SandboxContext } from './context.ts';
import type { Mail } from './schema.ts';
import { read } from './wire-fields.ts';

const MAIL_BYTES_MAX = 1024 * 1024;
const MAILS_MAX = 100;
const TO_LENGTH_MAX = 320;
const CLIENTS_MAX = 100;
/** How long a stop waits for connected clients; the default is 30 s. */
const CLOSE_MS = 100;

const mailsQuery = z.object({
  to: z.string('to must be one address').max(TO_LENGTH_MAX, 'to is too long').optional(),
});

/** Starts the mailbox that receives the service's mail over SMTP, and adds the routes that show it. */
export async function startMailbox(
  app: FastifyInstance,
  context: SandboxContext,
  host: string,
): Promise<{ close(): Promise<void> }> {
  const { store, clock, log } = context;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    maxClients: CLIENTS_MAX,
    closeTimeout: CLOSE_MS,
    size: MAIL_BYTES_MAX,
    onData(stream, session, done) {
      receive(stream, session).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error(errorText(error))),
      );
    },
  });
  server.on('error', (error) => log(`mailbox: ${errorText(error)}`));

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const mail = await PostalMime.parse(await contentOf(stream));
    for (const { address } of session.envelope.rcptTo) {
      store.saveMail({
        recipient: address.toLowerCase(),
        kind: mail.headers.find(({ key }) => key === 'x-service-mail-kind')?.value ?? null,
        subject: mail.subject ?? '',
        body_text: mail.text ?? '',
        body_html: mail.html ?? '',
        created_at: clock.now(),
      });
    }
  }

  server.listen(0, host);
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  app.get('/control/mailbox', () => ({ smtpPort: port }));
  app.get('/control/mails', (request, reply) => {
    // Mails contain one-time links.
    if (!isOwnMachine(request)) {
      return reply.code(403).send({ error: 'emails are shown only on the machine that runs the sandbox' });
    }
    const { to = '' } = read(mailsQuery, request.query);
    return reply.send(store.recentMails(to.trim().toLowerCase() || null, MAILS_MAX).map(shownMail));
  });
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Reads a mail to its end, but keeps no more than the announced size. Throws an error with the SMTP reply code. */
async function contentOf(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk);
  if (stream.sizeExceeded)
    throw Object.assign(new Error(`a mail has at most ${MAIL_BYTES_MAX} bytes`), { responseCode: 552 });
  return Buffer.concat(chunks);
}

function shownMail(mail: Mail): Record<string, unknown> {
  return {
    to: mail.recipient,
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    kind: mail.kind,
    createdAt: isoInstant(mail.created_at),
  };
}
