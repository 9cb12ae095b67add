import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import { errorText, OperatorError } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import { createAlarm } from './alarm.ts';
import { createCallbackLog } from './callback-log.ts';
import { createCallbackSender } from './callbacks.ts';
import type { SandboxContext } from './context.ts';
import { controlRoutes } from './control.ts';
import { pageRoutes, type ShownWebhook } from './page.ts';
import { answerPush } from './settle.ts';
import { openStorage } from './storage.ts';
import { dueActions, nextActionAt, releaseWaitingActions } from './store.ts';
import { wireRoutes } from './wire.ts';

export interface SandboxOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The sandbox's own storage; made with its folder when missing. */
  file: string;
  clock: Clock;
  random: Random;
  mbwayWindowMs: number;
  mbwayGraceMs: number;
  /** Gets one line per thing that happens; keys and addresses are never in it. */
  log?: (line: string) => void;
  /** What a service in the same process told its shops lately, newest first, for the page to show; a bank alone knows nothing of it. */
  webhooks?: () => Promise<readonly ShownWebhook[]>;
}

export interface Sandbox {
  /** Without a trailing slash. */
  url: string;
  /** Stops at once: open requests are cut, unsent callbacks wait for the next start. */
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 64 * 1024;
const ACTIONS_MAX = 100;

/**
 * Starts the simulated acquirer: the wire of the real one, self-acting phones, faults, and a page to play the
 * customer. Throws OperatorError when the port is taken or the file cannot be used.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, random, mbwayWindowMs, mbwayGraceMs, log = () => {} } = options;
  const db = openStorage(options.file);
  const callbackLog = createCallbackLog();
  const basics = { db, clock, random, mbwayWindowMs, mbwayGraceMs, log, callbackLog };
  const sender = createCallbackSender(basics);
  releaseWaitingActions(db, clock.now());
  const phones = createAlarm(
    clock,
    () => nextActionAt(db),
    () => actPhones(context),
  );
  const context: SandboxContext = {
    ...basics,
    wakePhones: () => phones.wake(),
    wakeCallbacks: () => sender.wake(),
  };
  const app = createApp(context, options.webhooks ?? null);
  const close = async () => {
    phones.stop();
    await app.close();
    await sender.stop();
    db.close();
  };
  try {
    const url = await app.listen({ host: options.host, port: options.port });
    // Overdue things happen only now: a start that fails leaves the file as it was.
    phones.wake();
    sender.wake();
    return { url, close };
  } catch (error) {
    await close();
    throw cannotListen(options, error);
  }
}

function createApp(context: SandboxContext, webhooks: Parameters<typeof pageRoutes>[2]): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: false,
    // Hanging creates would otherwise hold up a stop for ever.
    forceCloseConnections: true,
  });
  // A form or a text from another page must not move even test money: JSON only.
  app.removeContentTypeParser('text/plain');
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `nothing at ${request.method} ${request.url.split('?')[0]}` }),
  );
  app.setErrorHandler((error, _request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (status >= 500) context.log(`failed: ${errorText(error)}`);
    const advice = status === 415 ? 'send JSON with Content-Type: application/json' : errorText(error);
    return reply.code(status >= 500 ? 500 : 400).send({ error: advice });
  });
  wireRoutes(app, context);
  controlRoutes(app, context);
  pageRoutes(app, context, webhooks);
  return app;
}

function actPhones(context: SandboxContext): void {
  for (const push of dueActions(context.db, context.clock.now(), ACTIONS_MAX)) {
    if (push.action !== null) answerPush(context, push, push.action);
  }
}

function cannotListen(options: SandboxOptions, error: unknown): OperatorError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const where = `port ${options.port} of ${options.host}`;
  if (code === 'EADDRINUSE') {
    return new OperatorError(
      `SERVICE_SANDBOX_PORT: ${where} is taken; stop what listens there or choose another port`,
    );
  }
  if (code === 'EACCES') {
    return new OperatorError(
      `SERVICE_SANDBOX_PORT: ${where} is not allowed to this user; choose one above 1023`,
    );
  }
  return new OperatorError(`SERVICE_SANDBOX_HOST: cannot listen on ${where}: ${errorText(error)}`);
}
