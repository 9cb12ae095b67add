import { join } from 'node:path';
import { expect } from 'vitest';
import type { BankAccount } from '../../../src/banks/port.ts';
import { setBankAccount } from '../../../src/banks/set-account.ts';
import { receiveCallback } from '../../../src/banks/workers/receive-callback.ts';
import { ServiceError } from '../../../src/kernel/errors.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { lisbonText } from '../../../src/kernel/lisbon.ts';
import { cents, decimalFromCents } from '../../../src/kernel/money.ts';
import { createMerchant } from '../../../src/merchants/create-merchant.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import type { AttemptRow } from '../../../src/payments/attempt-store.ts';
import { initTransaction } from '../../../src/payments/init.ts';
import { startMbway } from '../../../src/payments/mbway.ts';
import { startMultibanco } from '../../../src/payments/multibanco.ts';
import type { Merchant } from '../../../src/rpc/context.ts';
import { databaseUrl } from '../../support/database.ts';
import { type Create, SimBank, type SimRow } from './bank.ts';
import { Checker } from './check.ts';
import { ModelClock } from './clock.ts';
import { bringToEnd } from './end.ts';
import { instantOf } from './instants.ts';
import { People } from './people.ts';
import { at, type Of, PHONES, type Step } from './steps.ts';
import { openWorld, type World } from './world.ts';

/** A service, a bank, two merchants and a clock, driven step by step. */
export class Run {
  readonly clock = new ModelClock();
  readonly bank = new SimBank(this.clock);
  readonly checker = new Checker(this.bank);
  readonly #people = new People(this.checker, () => this.world.deps);
  readonly #folder: string;
  readonly #cleanUps: (() => void | Promise<void>)[] = [];
  #url = '';
  #world: World | null = null;
  #merchants: Merchant[] = [];
  #transactions: { id: Id<'tx'>; merchant: Merchant }[] = [];
  #accounts = 0;
  #orders = 0;

  constructor(folder: string) {
    this.#folder = join(folder, `run-${Math.random()}`);
  }

  get world(): World {
    if (this.#world === null) throw new Error('not open');
    return this.#world;
  }

  async open(): Promise<void> {
    this.#url = await databaseUrl(this.#folder, (cleanUp) => this.#cleanUps.push(cleanUp));
    this.#world = await openWorld(this.#url, this.clock, this.bank);
    for (const name of ['A', 'B']) {
      const { merchantId } = await createMerchant(this.world.deps, { name, domains: ['shop.pt'] });
      this.#merchants.push({ ...{ id: merchantId, name, active: true, hold: false, firstPaidAt: null } });
    }
    await this.#setAccount(0);
    await this.#setAccount(3);
  }

  async close(): Promise<void> {
    await this.#end();
    for (const cleanUp of this.#cleanUps) await cleanUp();
  }

  async #end(): Promise<void> {
    this.bank.hangingInquiries = 0;
    this.bank.release();
    await this.#world?.close();
  }

  async step(step: Step): Promise<void> {
    await this.#do(step);
    await this.clock.jump(0, () => this.world.rest());
    await this.checker.check(this.world);
  }

  #do(step: Step): Promise<void> | void {
    switch (step.do) {
      case 'init':
        return this.#init(step);
      case 'push':
        return this.#push(step);
      case 'reference':
        return this.#reference(step);
      case 'answer':
        return this.#answer(step);
      case 'pay':
        return this.#pay(step);
      case 'call-back':
        return this.#callBack(at(this.bank.rows, step.pick), step.callback);
      case 'foreign':
        return this.#foreign(step);
      case 'bank':
        this.bank.silentInquiries = step.silentInquiries;
        this.bank.silentLists = step.silentLists;
        this.bank.unreadableRow = step.unreadableRow;
        return;
      case 'hang':
        this.bank.hangingInquiries += 1;
        return;
      case 'let-go':
        return this.bank.release();
      case 'hold':
        return this.#hold(step);
      case 'release':
        return this.#people.release(step, this.#transactions);
      case 'assign':
        return this.#people.assign(step, this.#transactions);
      case 'credit':
        return this.#people.credit(step, this.#transactions);
      case 'return':
        return this.#people.markReturned(step);
      case 'keep':
        return this.#people.keep(step);
      case 'account':
        return this.#setAccount(step.pick);
      case 'pass':
        return this.#pass(step);
      case 'restart':
        return this.#restart(step.killed);
    }
  }

  async #init({ pick: choice }: Of<'init'>): Promise<void> {
    const merchant = at(this.#merchants, choice);
    if (merchant === undefined) return;
    this.#orders += 1;
    const input = {
      orderId: `O${this.#orders}`,
      amount: (1000 + this.#orders) / 100,
      storeUrl: 'https://shop.pt',
    };
    const { transactionId } = await initTransaction(
      this.world.deps,
      merchant,
      { ...input, customer: { email: 'ana@shop.pt' } } as never,
      { setHeader() {}, origin: undefined, referer: undefined, idempotencyKey: undefined },
    );
    this.#transactions.push({ id: transactionId as Id<'tx'>, merchant });
  }

  async #attempts(id: string): Promise<AttemptRow[]> {
    const all = await this.world.deps.db.read.selectFrom('attempts').selectAll().orderBy('id').execute();
    return all.filter((attempt) => attempt.transaction_id === id);
  }

  async #push({ pick: choice, phone, create: outcome }: Of<'push'>): Promise<void> {
    const target = at(this.#transactions, choice);
    if (target === undefined) return;
    const phoneNumber = PHONES[phone] ?? '';
    const live = (await this.#attempts(target.id)).filter(
      ({ method, state }) => method === 'MBWAY' && ['initiated', 'open', 'unknown'].includes(state),
    );
    // It would wait for the other call's answer, as it should.
    if (live.some((attempt) => attempt.state === 'initiated' && attempt.phone_number === phoneNumber)) return;
    const row = await this.#row(target.id);
    const busy = live.some(({ state, phone_number }) => state !== 'open' || phone_number !== phoneNumber);
    const expected =
      row.status !== 'pending' || row.held === 1
        ? 'TRANSACTION_NOT_PENDING'
        : busy
          ? 'MBWAY_PUSH_OPEN'
          : live.length > 0
            ? 'again'
            : outcome;
    await this.#call(outcome, expected, () =>
      startMbway(this.world.deps, target.merchant, { transactionId: target.id, phoneNumber }),
    );
  }

  async #reference({ pick: choice, create: outcome }: Of<'reference'>): Promise<void> {
    const target = at(this.#transactions, choice);
    if (target === undefined) return;
    const own = (await this.#attempts(target.id)).filter(({ method }) => method === 'REFERENCE');
    if (own.some(({ state }) => state === 'initiated')) return;
    const row = await this.#row(target.id);
    const live = own.some(
      ({ state, expires_at }) => state === 'open' && (expires_at ?? 0) >= this.clock.now(),
    );
    const expected =
      row.status !== 'pending' || row.held === 1 ? 'TRANSACTION_NOT_PENDING' : live ? 'again' : outcome;
    await this.#call(outcome, expected === 'phone' ? 'refused' : expected, () =>
      startMultibanco(this.world.deps, target.merchant, { transactionId: target.id }),
    );
  }

  /** Makes the call and compares its answer; one that hangs is left behind, its answer may come in a later step. */
  async #call(outcome: Create, expected: string, run: () => Promise<object>): Promise<void> {
    const before = this.bank.creates.length;
    this.bank.next = outcome;
    const answer = run().then(
      (value) => ('reference' in value ? 'reference' : 'push'),
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    );
    const asked = expected === outcome || expected === 'refused';
    if (outcome.endsWith('hanging') && asked) return;
    const got = await answer;
    const sent = this.bank.creates.slice(before);
    expect(sent.length).toBe(asked ? 1 : 0);
    this.bank.next = 'accepted';
    const push = asked ? sent[0]?.method === 'MBWAY' : got === 'push';
    const wanted: Record<string, string> = {
      ...{ accepted: push ? 'push' : 'reference', again: push ? 'push' : 'reference' },
      ...{ phone: 'MBWAY_PHONE_REJECTED', refused: 'BANK_REFUSED', unreachable: 'BANK_UNAVAILABLE' },
      'taken-unanswered': push ? 'BANK_OUTCOME_UNKNOWN' : 'BANK_UNAVAILABLE',
      lost: push ? 'BANK_OUTCOME_UNKNOWN' : 'BANK_UNAVAILABLE',
    };
    expect(got).toBe(wanted[expected] ?? expected);
  }

  async #row(id: Id<'tx'>) {
    const { db } = this.world.deps;
    return db.read.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  async #answer({ pick: choice, act, lagMs: lag, callback: kind, mangled }: Of<'answer'>): Promise<void> {
    const push = at(this.bank.pushes, choice);
    const row = push === undefined ? null : this.bank.answer(push, act as 'paid', lag, mangled);
    if (row !== null) await this.#callBack(row, kind);
  }

  async #pay({ pick: choice, more, times, lagMs: lag, callback: kind }: Of<'pay'>): Promise<void> {
    const reference = at(this.bank.references, choice);
    if (reference === undefined) return;
    for (let time = 0; time < times; time++) {
      await this.#callBack(this.bank.pay(reference, cents(reference.amount + more), lag), kind);
    }
  }

  async #callBack(row: SimRow | undefined, kind: string): Promise<void> {
    if (row === undefined || kind === 'none') return;
    const query = new URLSearchParams({
      key: kind === 'forged-key' ? 'not-the-key-at-all' : row.owner.credentials.antiPhishingKey,
      orderId: row.bankOrderId ?? '',
      requestId: row.requestId ?? '',
      amount: decimalFromCents(kind === 'other-amount' ? cents(1) : row.amount),
      payment_datetime: lisbonText(row.paidAt),
    });
    for (let times = kind === 'twice' ? 2 : 1; times > 0; times--) {
      expect(await receiveCallback(this.world.deps, query)).toBe(kind === 'forged-key' ? 403 : 200);
    }
  }

  async #foreign({ pick: choice, whose }: Of<'foreign'>): Promise<void> {
    const { id } = at(this.#merchants, choice) ?? { id: 'mer_' as Id<'mer'> };
    const account = await this.world.deps.bankAccounts.current(this.world.deps.db.read, id);
    if (account === null) return;
    const target = at(this.#transactions, choice);
    const due = target === undefined ? 777 : (await this.#row(target.id)).amount_cents;
    const more = { nobody: 777 - due, due: 0, less: -500, more: 1, digits: 0 }[whose] ?? 0;
    const digits = whose === 'digits' ? at(this.bank.references, choice) : undefined;
    const amount = digits?.amount ?? cents(due + more);
    await this.#callBack(this.bank.foreign(account, amount, digits), 'once');
  }

  async #hold({ pick: choice, on }: Of<'hold'>): Promise<void> {
    const merchant = at(this.#merchants, choice);
    if (merchant === undefined) return;
    await setMerchant(this.world.deps, merchant.id, { hold: on });
    this.checker.holds.set(merchant.id, on);
  }

  /** The default account or merchant B's own, sharing one list at the bank or not; a new one supersedes the old. */
  async #setAccount(choice: number): Promise<void> {
    this.#accounts += 1;
    const number = String(this.#accounts).padStart(6, '0');
    const credentials: BankAccount['credentials'] = {
      ...{ mbWayKey: `ABC-${number}`, mbKey: `DEF-${number}`, antiPhishingKey: `anti-phishing-${number}` },
      backofficeKey: choice % 2 === 0 ? '1111-2222-3333-4444' : '5555-6666-7777-8888',
    };
    const merchantId = choice % 3 === 0 ? null : (this.#merchants[1]?.id ?? null);
    await setBankAccount(this.world.deps, { merchantId, credentials });
  }

  async #pass({ pick: choice, to, off }: Of<'pass'>): Promise<void> {
    const now = this.clock.now();
    const chosen = at(this.#transactions, choice)?.id;
    const target = (await instantOf(this.world, to, chosen)) + off;
    await this.clock.jump(target > now ? target - now : 1000, () => this.world.rest());
  }

  async #restart(killed: boolean): Promise<void> {
    if (killed) await this.world.kill();
    else await this.#end();
    // A restart takes its time; ids made after it sort after those before it.
    await this.clock.jump(5, async () => {});
    this.#world = await openWorld(this.#url, this.clock, this.bank);
  }

  /** See `bringToEnd`. */
  end(): Promise<void> {
    return bringToEnd(this.world, this, this.#people);
  }
}
