import type { Tx } from '../db/database.ts';
import { type ErrorCode, ServiceError } from '../kernel/errors.ts';
import { selectMerchant } from '../merchants/store.ts';
import { createNext } from '../payments/init.ts';
import { startMbway } from '../payments/mbway.ts';
import { startMultibanco } from '../payments/multibanco.ts';
import { transactionsOfSession } from '../payments/session-store.ts';
import type { StepDeps } from '../payments/steps.ts';
import { type Notice, type NoticeKind, noticeOf } from './notice.ts';
import { methodsOf, offeredMethods } from './offered-methods.ts';
import { countPush, forgetUnsent, limitReferences, PushLimited } from './push-limits.ts';
import { sessionStatus } from './session.ts';
import { type SessionRow, sessionOfToken, setNotice } from './store.ts';

export interface PostedStep {
  readonly method: string | null;
  readonly phoneNumber: string | null;
  readonly address: string;
}

/** The notices of errors that the shopper can resolve; after any other error the page shows the current state. */
const NOTICES: Partial<Record<ErrorCode, NoticeKind>> = {
  MBWAY_PHONE_REJECTED: 'phone-unknown',
  MBWAY_PUSH_OPEN: 'push-open',
  BANK_UNAVAILABLE: 'bank',
  BANK_REFUSED: 'bank',
};

/** The maximum number of concurrent steps of a page: each may wait as long as the bank takes, and anyone can post. */
const RUNNING_MAX = 100;
/** The number of running steps by session; a session without any has no entry. */
const running = new Map<SessionRow['id'], number>();

/**
 * Runs a step of a session's page. Does nothing when the session is not open, the method is not offered, or too many steps are
 * running. False when there is no such page.
 */
export async function takeStep(deps: StepDeps, token: string, posted: PostedStep): Promise<boolean> {
  const session = await sessionOfToken(deps.db.read, token);
  if (session === undefined) return false;
  const before = running.get(session.id) ?? 0;
  if (before >= RUNNING_MAX) return true;
  running.set(session.id, before + 1);
  try {
    const notice = await startStep(deps, session, token, posted);
    const stored = notice === null ? null : JSON.stringify(notice);
    if (stored !== session.notice) await deps.db.unit((tx) => setNotice(tx, session.id, stored));
  } finally {
    const others = (running.get(session.id) ?? 1) - 1;
    if (others > 0) running.set(session.id, others);
    else running.delete(session.id);
  }
  return true;
}

async function startStep(
  deps: StepDeps,
  session: SessionRow,
  token: string,
  { method, phoneNumber, address }: PostedStep,
): Promise<Notice | null> {
  const now = deps.clock.now();
  if (method !== 'MBWAY' && method !== 'REFERENCE') return null;
  const phone = method === 'MBWAY' ? normalPhone(phoneNumber ?? '') : '';
  if (phone === null) return noticeOf('phone', now);
  const prepared = await deps.db.unit((tx) => prepare(tx, deps, token, method));
  if (prepared === null) return null;
  if (prepared === 'not_offered') return noticeOf('method', now);
  const { payee, transactionId } = prepared;
  try {
    if (method === 'REFERENCE') {
      await startMultibanco(deps, payee, { transactionId }, (earlier) => limitReferences(earlier, now));
    } else {
      await startMbway(deps, payee, { transactionId, phoneNumber: phone }, (tx, attempt) =>
        countPush(tx, deps, { attemptId: attempt.id, sessionId: session.id, phoneNumber: phone, address }),
      );
    }
    return null;
  } catch (error) {
    if (error instanceof PushLimited) return error.notice;
    if (!(error instanceof ServiceError)) throw error;
    if (method === 'MBWAY' && error.code === 'BANK_UNAVAILABLE')
      await deps.db.unit((tx) => forgetUnsent(tx, { id: transactionId, merchant_id: payee.id }));
    const kind = NOTICES[error.code];
    return kind === undefined ? null : noticeOf(kind, now);
  }
}

/** A Portuguese mobile number in the bank's format; null for other text. A copied number can hold invisible characters. */
export function normalPhone(typed: string): string | null {
  const digits = typed.replace(/[\s.()\p{Pd}\p{Cf}]/gu, '').replace(/^(?:\+|00)351/, '');
  return /^9\d{8}$/.test(digits) ? digits : null;
}

/** Finds the session's pending transaction, or creates the next one; null when the session starts nothing. */
async function prepare(tx: Tx, deps: StepDeps, token: string, method: 'MBWAY' | 'REFERENCE') {
  const session = await sessionOfToken(tx, token, true);
  if (session === undefined) return null;
  const transactions = await transactionsOfSession(tx, session);
  const newest = transactions.at(-1);
  const merchant = await selectMerchant(tx, session.merchant_id);
  if (newest === undefined || merchant === null || merchant.active !== 1) return null;
  const isOpen = sessionStatus(session, transactions, deps.clock.now()) === 'open';
  if (!isOpen || transactions.some(({ held, status }) => held === 1 || status === 'paid')) return null;
  const payable = { amount: newest.amount_cents, methods: methodsOf(session.methods) };
  if (!(await offeredMethods(tx, deps, merchant.id, payable)).includes(method)) return 'not_offered';
  const isPending = newest.status === 'pending';
  return {
    payee: { id: merchant.id, name: merchant.name },
    transactionId: isPending ? newest.id : await createNext(tx, deps, newest),
  };
}
