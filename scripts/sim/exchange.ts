import { NoConnection } from '../../src/banks/exchange.ts';
import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

const TEXT_LENGTH_MAX = 120;

/** One request to the bank or the mail server and its outcome. */
export interface Exchange<T> {
  name: string;
  /** Milliseconds until the other side acts; null when the request is lost. */
  arrivesMs: number | null;
  /** Milliseconds from then until the response; null when there is none. */
  answersMs: number | null;
  /** Milliseconds until the connection breaks; null when it does not. */
  failsMs: number | null;
  /** The other side's work; runs even if the sender crashed. */
  work(): T;
  /** The error of a request without a response. */
  failure(): Error;
}

/** Runs an exchange in simulated time. The service may crash before the request, after the bank acted, and after the answer. */
export function exchange<T>(service: Service, world: World, asked: Exchange<T>): Promise<T> {
  if (service.crashes(`${asked.name} leaves`)) return service.never();
  return new Promise<T>((resolve, reject) => {
    let over = false;
    const end = (settle: () => void) => {
      if (over || service.dead) return;
      over = true;
      if (!service.crashes(`${asked.name} answered`)) settle();
    };
    const arrive = () => {
      const value = asked.work();
      world.note(`${asked.name} arrives`, summary(value));
      service.crashes(`${asked.name} arrived`);
      if (asked.answersMs === null) return;
      world.time.schedule(asked.answersMs, () => end(() => resolve(value)), service);
    };
    if (asked.arrivesMs !== null) world.time.schedule(asked.arrivesMs, arrive);
    const deadlineMs = asked.failsMs ?? world.scenario.settings.bankTimeoutMs;
    world.time.schedule(deadlineMs, () => end(() => reject(asked.failure())), service);
  });
}

type Way = Pick<Exchange<unknown>, 'arrivesMs' | 'answersMs' | 'failsMs'>;

const LOST: Way = { arrivesMs: null, answersMs: null, failsMs: null };

/** Draws when a request and its response arrive, if at all. */
export function drawWay(world: World, prng: Prng, faults: number): Way {
  const { bankTimeoutMs } = world.scenario.settings;
  // Without faults the exchange takes no time.
  if (world.healthy) return { arrivesMs: 0, answersMs: 0, failsMs: null };
  const arrivesMs = prng.int(10, 250);
  const answersMs = world.scenario.slowBank ? prng.int(1000, bankTimeoutMs - 500) : prng.int(10, 400);
  if (!prng.chance(faults)) return { arrivesMs, answersMs, failsMs: null };
  const fault = prng.weighted({ lost: 2, hang: 2, late: 2, slow: 2, reset: 1, answerLost: 2 });
  world.count(`bank ${fault}`);
  switch (fault) {
    case 'lost':
      return LOST;
    case 'hang':
      return { ...LOST, arrivesMs };
    case 'late':
      return { arrivesMs, answersMs: bankTimeoutMs + prng.int(0, 20_000), failsMs: null };
    case 'slow': {
      const slowMs = prng.int(10, bankTimeoutMs - 1000);
      return { arrivesMs: slowMs, answersMs: prng.int(1, bankTimeoutMs), failsMs: null };
    }
    case 'reset':
      return { ...LOST, failsMs: prng.int(1, 3000) };
    case 'answerLost':
      return { ...LOST, arrivesMs, failsMs: arrivesMs + prng.int(1, 3000) };
  }
}

/** Draws the timing of a create or a refund request, which fails with or without a connection. */
export function drawSendingWay(world: World, prng: Prng, faults: number) {
  if (!prng.chance(world.faults.connection))
    return { ...drawWay(world, prng, faults), failure: 'unknown' as const };
  return { ...LOST, failsMs: prng.int(1, 1000), failure: 'unreachable' as const };
}

/** Returns the error of a request to the bank that gets no response. */
export function noResponse(failure: 'unreachable' | 'unknown'): Error {
  return failure === 'unreachable' ? new NoConnection('simulated') : new Error('simulated: no answer');
}

function summary(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} rows`;
  if (typeof value !== 'object' || value === null) return '';
  if ('text' in value) return String(value.text).slice(0, TEXT_LENGTH_MAX);
  return 'kind' in value ? String(value.kind) : '';
}
