import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Claimed, claimDue } from './claim.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { SendLane, SendLanes } from './lanes.ts';
import type { NextLook } from './next-look.ts';
import { startNumbering } from './number.ts';
import type { Recorder } from './recorder.ts';
import type { Slots } from './slots.ts';
import { WaitingRoom } from './waiting-room.ts';

export interface ClaimerOptions {
  lanes: SendLanes;
  recorder: Recorder;
  heartbeat: Heartbeat;
  nextLook: NextLook;
  /** Outcomes that may wait to be written: as many as attempts may be in flight. */
  unwrittenMax: number;
  /** Shows the neighbours whether the claimer lives; null where there are none, or while they cannot see it. */
  mark(): string | null;
  /** Sends what was claimed; `paced` when its endpoint hung the last time. */
  send(attempt: Claimed, paced: boolean): void;
  onNumbered?: ((merchantIds: Iterable<Id<'mer'>>) => void) | undefined;
}

/** Claims what is due and has a slot, and gives events their numbers before. */
export class Claimer {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'random' | 'log' | 'metrics'>;
  readonly #options: ClaimerOptions;
  readonly #waitingRoom = new WaitingRoom();
  /** Nothing was claimed for want of room for outcomes. */
  #full = false;
  /** Another process was faster in the last round. */
  #lost = false;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'random' | 'log' | 'metrics'>, options: ClaimerOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Outcomes must be written before anything is claimed again. */
  get isFull(): boolean {
    return this.#full;
  }

  /** In the last round another process took what was looked at. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Whether anybody waits for a slot. */
  get anybodyWaits(): boolean {
    return !this.#waitingRoom.isEmpty;
  }

  /** Whether a slot that this merchant gives back is wanted. */
  waitsFor(merchantId: Id<'mer'>): boolean {
    return this.#waitingRoom.waitsFor(merchantId);
  }

  /** One look at the queues, in a backlog at those of `lookFor` alone, and one claim from each. Throws what the database throws. */
  async round(lookFor: ReadonlySet<Id<'mer'>> | null): Promise<void> {
    const { fresh, recovery } = this.#options.lanes;
    this.#lost = false;
    await this.#claimFrom(fresh, lookFor);
    // What wakes for one merchant is a fresh event.
    if (lookFor === null) await this.#claimFrom(recovery, null);
  }

  async #claimFrom({ picker, slots }: SendLane, lookFor: ReadonlySet<Id<'mer'>> | null): Promise<void> {
    const { recorder, heartbeat, nextLook, onNumbered } = this.#options;
    this.#full = recorder.held >= this.#options.unwrittenMax;
    if (this.#full) return;
    await recorder.gathered();
    const looked = this.#waitingRoom.look(slots);
    const picked = await picker.pick(this.#deps.clock.now(), lookFor);
    looked(picked);
    if (picked.more) nextLook.ask();
    // Due again although its outcome waits to be written: its lease has lapsed, and nobody needs to send it.
    const ids = picked.ids.filter((id) => !heartbeat.has(id));
    for (const id of picked.ids) if (heartbeat.has(id)) slots.give(id);
    const numbering = await startNumbering(this.#deps, onNumbered);
    recorder.write();
    if (ids.length > 0) await this.#claim(ids, slots);
    if (await numbering.more) nextLook.ask();
  }

  /** `ids` have slots; those that are not claimed give theirs back. */
  async #claim(ids: readonly Id<'dlv'>[], slots: Slots): Promise<void> {
    const { heartbeat, nextLook, mark, send } = this.#options;
    const taken = new Set<Id<'dlv'>>(ids);
    try {
      const { claimed, ended, unblocked } = await claimDue(this.#deps, ids, mark());
      // What ended without a request gives its slot back here, where nobody else would look for the next.
      if (unblocked || ended.length > 0) nextLook.ask();
      if (claimed.length + ended.length < ids.length) this.#lost = this.#deps.db.neighbours !== null;
      for (const { state } of ended) this.#deps.metrics.deliveryFinished(state);
      for (const attempt of claimed) {
        const { id, merchant_id } = attempt.delivery;
        taken.delete(id);
        heartbeat.take(id, attempt.token, attempt.startedAt);
        send(attempt, slots.isSlow(merchant_id));
      }
    } finally {
      for (const id of taken) slots.give(id);
    }
  }
}
