import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { noMetrics } from '../../src/deps.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createMailQueue } from '../../src/mail/queue.ts';
import { createMailTransport } from '../../src/mail/transport.ts';
import { type ComposedMail, createMailWorker, type MailSources } from '../../src/mail/worker.ts';
import { keptLog } from '../banks/support.ts';
import { temporaryDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { listen } from '../support/listen.ts';
import { until } from '../support/until.ts';

export const FROM = 'payments@service.example';
export const COMPOSED: ComposedMail = {
  to: 'ana@shop.pt',
  language: 'en',
  from: 'Shop\u202e\r\nBcc: thief@x.pt',
  content: { subject: 'Paid\u202e\r\nBcc: thief@x.pt', heading: 'Paid\u202e', paragraphs: ['Thanks.'] },
};

type Composed = () => ComposedMail | Promise<ComposedMail> | null;

/** A mail server on loopback, with the mails that it accepted. */
export async function smtpServer(options: SMTPServerOptions = {}) {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    async onData(stream, _session, done) {
      received.push(await text(stream));
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: await listen(server.server), received };
}

/** The outbox with one source of mail, and a worker that sends to `smtpUrl`. */
export async function outboxTo(smtpUrl: string, composed: Composed = () => COMPOSED, sender = FROM) {
  const clock = fakeClock();
  const db = await temporaryDatabase();
  const box = createSecretBox(Buffer.alloc(32, 7), systemRandom);
  const { settings } = readConfig({
    SERVICE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVICE_MAIL_FROM: sender,
    SERVICE_SMTP_URL: smtpUrl,
  });
  const { log, lines } = keptLog();
  const outcomes: string[] = [];
  const metrics = { ...noMetrics, mail: (outcome: string) => void outcomes.push(outcome) };
  const deps = { db, clock, box, settings, log, metrics, ids: createIds(clock, systemRandom) };
  const kinds: Partial<MailSources['kinds']> = { 'payment-receipt': async () => composed() };
  const sources: MailSources = {
    kinds: kinds as MailSources['kinds'],
    readers: async () => [],
    reader: async () => null,
  };
  const start = () => {
    const worker = createMailWorker(deps, createMailTransport({ clock, smtpUrl, sandboxUrl: null }), sources);
    onTestFinished(() => worker.stop());
    worker.start();
    return worker;
  };
  const queue = createMailQueue(deps, () => {});
  await db.unit((tx) => queue(tx, { kind: 'payment-receipt', entity: 'tx_1' }));
  const row = async () => db.read.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
  const attempts = (count: number) =>
    until(async () => {
      const mail = await row();
      // A claimed mail is due after its lease; a failed mail has its reason.
      return mail.attempts_count === count && (mail.due_at === null || mail.error !== null) ? mail : null;
    }, `${count} attempts`);
  return { clock, db, deps, lines, outcomes, queue, start, row, attempts };
}

/** A mail server with these options, and an outbox that sends to it. */
export async function mailing(options?: SMTPServerOptions, composed?: Composed, sender?: string) {
  const server = await smtpServer(options);
  return { server, outbox: await outboxTo(`smtp://127.0.0.1:${server.port}`, composed, sender) };
}
