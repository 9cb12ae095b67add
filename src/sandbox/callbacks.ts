import { Agent, request } from 'undici';
import { errorText } from '../kernel/errors.ts';
import { eurosFromCents } from '../kernel/money.ts';
import { type Alarm, createAlarm } from './alarm.ts';
import {
  type Callback,
  claimCallbacks,
  findActivation,
  nextCallbackAt,
  postponeCallback,
  removeCallback,
  reviveCallbacks,
} from './callback-store.ts';
import type { SandboxContext } from './context.ts';
import { paymentById } from './store.ts';
import { callbackUrl } from './template.ts';

const CONCURRENCY_MAX = 16;
const DEADLINE_MS = 10_000;
const RETRIES_MAX = 13;
// The bank publishes the number of repetitions but not their spacing: 1, 2, 4 … 60 s is the simulator's choice.
const RETRY_FIRST_MS = 1000;
const RETRY_CAP_MS = 60_000;
const ANSWER_BYTES_MAX = 65_536;

type CallbackContext = Omit<SandboxContext, 'wakePhones' | 'wakeCallbacks'>;

export interface CallbackSender {
  wake(): void;
  stop(): Promise<void>;
}

/** Sends what is due, at most 16 at a time; only a 200 counts, anything else is repeated up to 13 times. */
export function createCallbackSender(context: CallbackContext): CallbackSender {
  const { db, clock } = context;
  const agent = new Agent({ connections: CONCURRENCY_MAX, pipelining: 1 });
  const sending = new Set<Promise<void>>();
  let stopped = false;
  reviveCallbacks(db, clock.now());

  // While every hand is full nothing is due: the next one to come free looks again.
  const nextAt = () => (sending.size >= CONCURRENCY_MAX ? null : nextCallbackAt(db));
  const alarm: Alarm = createAlarm(clock, nextAt, () => {
    for (const callback of claimCallbacks(db, clock.now(), CONCURRENCY_MAX - sending.size)) {
      const sent = send(callback).finally(() => {
        sending.delete(sent);
        alarm.wake();
      });
      sending.add(sent);
    }
  });

  async function send(callback: Callback): Promise<void> {
    const answer = await attempt(context, agent, callback);
    // One that was cut by the stop stays marked as being sent and goes out again at the next start.
    if (stopped) return;
    context.log(`callback ${callback.id}, attempt ${callback.attempts + 1}: ${answer}`);
    const retry = callback.attempts + 1;
    if (answer === '200' || retry > RETRIES_MAX) return removeCallback(db, callback.id);
    const delay = Math.min(RETRY_FIRST_MS * 2 ** (retry - 1), RETRY_CAP_MS);
    postponeCallback(db, callback.id, retry, clock.now() + delay);
  }

  return {
    wake: () => alarm.wake(),
    async stop() {
      stopped = true;
      alarm.stop();
      await agent.destroy();
      await Promise.allSettled(sending);
    },
  };
}

/** One call of the address that is registered now. Resolves with the status, or with what went wrong. */
async function attempt(context: CallbackContext, agent: Agent, callback: Callback): Promise<string> {
  const payment = paymentById(context.db, callback.paymentId);
  const activation = payment && findActivation(context.db, payment.entity, payment.subEntity);
  if (payment === undefined || activation === undefined) return 'no address is registered';
  const at = context.clock.now();
  const answer = await get(context, agent, callbackUrl(activation, payment, callback.flavour));
  context.callbackLog.add({
    at,
    durationMs: context.clock.now() - at,
    method: payment.entity === 'MBWAY' ? 'MBWAY' : 'MULTIBANCO',
    amount: eurosFromCents(payment.amount),
    requestId: payment.requestId,
    attempt: callback.attempts + 1,
    answer,
  });
  return answer;
}

async function get(context: CallbackContext, agent: Agent, url: string): Promise<string> {
  try {
    const signal = context.clock.deadline(DEADLINE_MS);
    const answer = await request(url, { dispatcher: agent, signal });
    await answer.body.dump({ limit: ANSWER_BYTES_MAX, signal });
    return String(answer.statusCode);
  } catch (error) {
    return errorText(error);
  }
}
