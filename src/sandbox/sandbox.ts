import Fastify, { type FastifyInstance } from 'fastify';
import { errorText, OperatorError } from '../kernel/errors.ts';
import { createPeriodicJob } from '../kernel/periodic.ts';
import { isOwnHost } from './addresses.ts';
import { createSenders } from './callbacks.ts';
import type { SandboxContext } from './context.ts';
import { controlRoutes } from './control.ts';
import { eupagoRoutes } from './eupago/wire.ts';
import { startMailbox } from './mailbox.ts';
import { pageRoutes, type ShownWebhook } from './page.ts';
import { answerPush } from './settle.ts';
import { Store } from './store.ts';
import { wireRoutes } from './wire.ts';

export interface SandboxOptions
  extends Pick<SandboxContext, 'clock' | 'random' | 'mbwayWindowMs' | 'mbwayGraceMs' | 'addresses'> {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The sandbox's own SQLite file, created with its folder if necessary. */
  file: string;
  /** Receives one line per event. Lines contain no keys and no callback URLs. */
  log?: (line: string) => void;
  /** The latest webhooks of a service in the same process, newest first, for the page. */
  webhooks?: () => Promise<readonly ShownWebhook[]>;
}

const BODY_BYTES_MAX = 64 * 1024;
const ACTIONS_MAX = 100;
const IDLE_MS = 3_600_000;

/**
 * Starts the simulated acquirers: their wire protocols, test phones, faults and a page for the customer's actions.
 * Throws OperatorError when the port or the file cannot be used. The `url` has no trailing slash.
 */
export async function startSandbox(options: SandboxOptions) {
  const { clock, random, mbwayWindowMs, mbwayGraceMs, addresses, log = () => {} } = options;
  const store = new Store(options.file);
  const basics = { store, clock, random, mbwayWindowMs, mbwayGraceMs, addresses, log, sentCallbacks: [] };
  const senders = createSenders(basics);
  const phones = createPeriodicJob({
    clock,
    async run() {
      for (const push of store.dueActions(clock.now(), ACTIONS_MAX)) {
        if (push.action !== null) answerPush(context, push, push.action);
      }
      const nextAt = store.nextActionAt();
      return nextAt === null ? IDLE_MS : Math.max(0, nextAt - clock.now());
    },
    onError: (error) => log(`a test phone failed; retrying: ${errorText(error)}`),
  });
  const context: SandboxContext = {
    ...basics,
    wakePhones: phones.wake,
    wakeCallbacks() {
      for (const sender of senders) sender.wake();
    },
  };
  const app = createApp(context, options.webhooks);
  const mailbox = await startMailbox(app, context, options.host).catch((error: unknown) => {
    store.close();
    throw cannotListen(options, error);
  });
  /** Stops immediately: open requests are aborted, and unsent callbacks are sent after the next start. */
  const close = async () => {
    await phones.stop();
    await Promise.all([app.close(), mailbox.close()]);
    await Promise.all(senders.map((sender) => sender.stop()));
    store.close();
  };
  try {
    const url = await app.listen({ host: options.host, port: options.port });
    // A start that fails before this line does not change the file.
    store.releaseWaitingActions(clock.now());
    phones.start();
    for (const sender of senders) sender.start();
    return { url, close };
  } catch (error) {
    await close();
    throw cannotListen(options, error);
  }
}

function createApp(context: SandboxContext, webhooks: SandboxOptions['webhooks']): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: false,
    // Hanging requests must not delay the stop.
    forceCloseConnections: true,
  });
  // JSON only: a form of another site cannot send JSON without CORS.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnHost(request.headers.host, context.addresses)) return;
    await reply
      .code(403)
      .send({ error: 'this is not a host of the sandbox; add it to SERVICE_SANDBOX_PUBLIC_HOST' });
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `nothing at ${request.method} ${request.url.split('?')[0]}` }),
  );
  app.setErrorHandler((error, _request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (status >= 500) context.log(`failed: ${errorText(error)}`);
    const message = status === 415 ? 'send JSON with Content-Type: application/json' : errorText(error);
    return reply.code(status >= 500 ? 500 : 400).send({ error: message });
  });
  wireRoutes(app, context);
  eupagoRoutes(app, context);
  controlRoutes(app, context);
  pageRoutes(app, context, webhooks ?? null);
  return app;
}

function cannotListen({ port, host }: SandboxOptions, error: unknown): OperatorError {
  const where = `port ${port} of ${host}`;
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `SERVICE_SANDBOX_PORT: ${where} is in use; stop the other program or choose another port`,
    EACCES: `SERVICE_SANDBOX_PORT: this user may not use ${where}; choose a port above 1023`,
  };
  const other = `SERVICE_SANDBOX_HOST: cannot listen on ${where}: ${errorText(error)}`;
  return new OperatorError(known[(error as NodeJS.ErrnoException).code ?? ''] ?? other);
}
