import type { Answer, BankHttp, Question } from '../../src/banks/exchange.ts';
import type { RefundOutcome } from '../../src/banks/port.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import type { Cents } from '../../src/kernel/money.ts';
import type { CreateAnswer } from './bank.ts';
import type { TrueMoney, TruePush } from './bank-state.ts';
import { drawSendingWay, drawWay, exchange, noResponse } from './exchange.ts';
import { Part } from './part.ts';
import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

/** A response, and the evidence that it provides when it arrives. */
export type Reply = Answer & { proof?: () => void };

function answered(reply: Reply): Answer {
  reply.proof?.();
  return reply;
}

/**
 * An acquirer as its adapter sees it: answers the requests of one process from the bank's state. A request that was sent
 * arrives even if the service crashes; its response reaches only the process that sent it.
 */
export abstract class BankWire extends Part implements BankHttp {
  protected abstract readonly acquirer: Acquirer;
  readonly #service: Service;

  constructor(world: World, prng: Prng, service: Service) {
    super(world, prng);
    this.#service = service;
  }

  async close(): Promise<void> {}

  /** Sends a create or a refund. */
  abstract once(question: Question): Promise<Answer>;

  /** Sends a request that may be repeated. */
  ask(question: Question): Promise<Answer> {
    const world = this.world;
    const { question: faults } = world.faults;
    const askedByService = world.serviceNow();
    return exchange<Reply>(this.#service, world, {
      name: nameOf(question),
      ...drawWay(world, this.prng, faults),
      failure: () => noResponse('unknown'),
      work: () => this.#garbage(faults) ?? this.reply(question, askedByService),
    }).then(answered);
  }

  protected abstract reply(question: Question, askedByService: number): Reply;

  /** The payments that the acquirer's lists show now. */
  protected listed(): TrueMoney[] {
    const { bank, time } = this.world;
    return bank.money.filter((row) => row.acquirer === this.acquirer && row.shownFrom <= time.now);
  }

  protected stateOf({ state, createdAt }: Pick<TruePush, 'state' | 'createdAt'>) {
    const { time, scenario } = this.world;
    const isOver = state === 'waiting' && time.now > createdAt + scenario.settings.mbwayWindowMs;
    return isOver ? 'expired' : state;
  }

  /** Sends a create and records its outcome. `answer` is the response to a request that is accepted or refused. */
  protected async create(
    name: 'push' | 'reference',
    { bankOrderId, amount }: { bankOrderId: string; amount: Cents },
    answer: (refused: 'phone-unknown' | 'other' | null) => Answer,
  ): Promise<Answer> {
    const { world, prng } = this;
    const service = this.#service;
    if (service.dead) return service.never();
    world.monitor.checkCreate(bankOrderId, amount);
    world.count(`${this.acquirer} ${name}`);
    const { creates } = world.bank;
    creates.set(bankOrderId, null);
    const note = (kind: CreateAnswer) => {
      creates.set(bankOrderId, kind);
      world.count(`create ${kind}`);
    };
    const faults = world.faults.create;
    const refused = prng.chance(faults / 2) ? prng.pick(['phone-unknown', 'other'] as const) : null;
    const { failure, ...way } = drawSendingWay(world, prng, faults);
    return exchange<Reply>(service, world, {
      name,
      ...way,
      work: () => {
        const readable = answer(refused);
        const garbage = this.#garbage(faults);
        if (garbage !== null) return { ...garbage, proof: () => note('unknown') };
        return { ...readable, proof: () => note(refused === null ? 'accepted' : 'refused') };
      },
      failure: () => {
        note(failure);
        return noResponse(failure);
      },
    }).then(answered);
  }

  protected refund(
    sent: Pick<TrueMoney, 'paymentId' | 'amount' | 'listKey'>,
    answer: (outcome: RefundOutcome) => Answer,
  ): Promise<Answer> {
    const { world, acquirer } = this;
    const respond = (outcome: RefundOutcome) => this.#garbage(world.faults.refund) ?? answer(outcome);
    return world.bank.refunds.send(this.#service, { ...sent, acquirer }, respond);
  }

  /** An unreadable response, with the probability of a fault. */
  #garbage(faults: number): Answer | null {
    if (!this.prng.chance(faults / 5)) return null;
    this.world.count(`${this.acquirer} garbage`);
    return this.prng.pick([
      { status: 502, text: '<html>Bad gateway</html>' },
      { status: 200, text: '' },
      { status: 500, text: '{}' },
    ]);
  }
}

/** The name of a request in the trace. */
function nameOf({ url }: Question): string {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/token')) return 'token';
  if (pathname.includes('/refund/')) return 'refund inquiry';
  return /\/(multibanco\/info|mbway\/status)$/.test(pathname) ? 'inquiry' : 'list';
}

export function json(status: number, body: object): Answer {
  return { status, text: JSON.stringify(body) };
}
