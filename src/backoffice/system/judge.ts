import type {
  BackupSigns,
  BankSigns,
  HttpSigns,
  Level,
  ProcessSigns,
  QueueSigns,
  StorageSigns,
} from './view.ts';

/** When a sign is worth a look, and when it is bad. Pure: figures in, a level out. */
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const GIBIBYTE = 1024 ** 3;

const WORST: readonly Level[] = ['bad', 'look', 'good'];

export function worst(levels: readonly Level[]): Level {
  return WORST.find((level) => levels.includes(level)) ?? 'good';
}

/** A delivery that is left although it could be sent means that something is broken; a backlog alone is a slow endpoint. */
export function judgeQueue(signs: Pick<QueueSigns, 'oldestDueAgeMs' | 'unclaimedMs'>): Level {
  if ((signs.unclaimedMs ?? 0) > 30 * SECOND_MS) return 'bad';
  return (signs.oldestDueAgeMs ?? 0) > MINUTE_MS ? 'look' : 'good';
}

/** `reconcileMs` is how often the list should be read. A failing read waits longer and longer, at most 15 minutes. */
export function judgeAccount(
  account: { createdAt: number; listReadAt: number | null; silentSince: number | null },
  now: number,
  reconcileMs: number,
): Level {
  const ageMs = now - (account.listReadAt ?? account.createdAt);
  if (ageMs > Math.max(HOUR_MS, 4 * reconcileMs)) return 'bad';
  return account.silentSince !== null || ageMs > 3 * reconcileMs + MINUTE_MS ? 'look' : 'good';
}

export function judgeBank(signs: Pick<BankSigns, 'calls' | 'failed'>, accounts: readonly Level[]): Level {
  const rate = signs.calls === 0 ? 0 : signs.failed / signs.calls;
  const calls: Level =
    signs.failed >= 5 && rate > 0.5 ? 'bad' : signs.failed >= 2 && rate > 0.05 ? 'look' : 'good';
  return worst([calls, ...accounts]);
}

/** A client's own mistakes are no fault of the service. */
export function judgeHttp(signs: Pick<HttpSigns, 'requests' | 'serverErrors'>): Level {
  const rate = signs.requests === 0 ? 0 : signs.serverErrors / signs.requests;
  if (signs.serverErrors >= 5 && rate > 0.1) return 'bad';
  return signs.serverErrors > 0 && rate > 0.01 ? 'look' : 'good';
}

export function judgeProcess(signs: Pick<ProcessSigns, 'loopP99Ms'>): Level {
  if (signs.loopP99Ms > SECOND_MS) return 'bad';
  return signs.loopP99Ms > 200 ? 'look' : 'good';
}

export function judgeStorage(signs: Pick<StorageSigns, 'freeBytes' | 'totalBytes'>): Level {
  const { freeBytes, totalBytes } = signs;
  if (freeBytes === null || totalBytes === null) return 'good';
  if (freeBytes < GIBIBYTE / 2) return 'bad';
  return freeBytes < 2 * GIBIBYTE || freeBytes < totalBytes / 20 ? 'look' : 'good';
}

/** Test money needs no copies. */
export function judgeBackup(signs: BackupSigns, now: number): Level {
  if (signs.sandbox) return 'good';
  return signs.at === null || now - signs.at > 2 * DAY_MS ? 'look' : 'good';
}
