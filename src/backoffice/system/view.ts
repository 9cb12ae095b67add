import type { Id } from '../../kernel/ids.ts';

/** `good`: nothing to do. `look`: somebody should. `bad`: now. */
export type Level = 'good' | 'look' | 'bad';

/** How the service is doing. Instants and durations in milliseconds, sizes in bytes. */
export interface SystemState {
  level: Level;
  now: number;
  queue: QueueSigns & { level: Level };
  undelivered: { level: Level; since: number; merchants: UndeliveredMerchant[] };
  bank: BankSigns & { level: Level };
  http: HttpSigns & { level: Level };
  process: ProcessSigns & { level: Level };
  storage: StorageSigns & { level: Level };
  backup: BackupSigns & { level: Level };
  versions: { service: string; node: string; database: string; schema: number };
}

export interface QueueSigns {
  /** Deliveries that are due now; counted up to 10,001. */
  due: number;
  oldestDueAgeMs: number | null;
  /** How long one that could be sent has been left; null while it is not known. */
  unclaimedMs: number | null;
  /** Attempts of the last minutes. */
  delivered: number;
  failed: number;
}

export interface UndeliveredMerchant {
  merchantId: Id<'mer'>;
  name: string;
  /** Events that reached nobody since; counted up to `UNDELIVERED_COUNTED_MAX`. */
  count: number;
  more: boolean;
}

export interface BankSigns {
  sandbox: boolean;
  windowMs: number;
  calls: number;
  /** Calls without a readable answer. */
  failed: number;
  accounts: AccountSigns[];
}

export interface AccountSigns {
  accountId: Id<'acc'>;
  /** Null for the default account. */
  merchantId: Id<'mer'> | null;
  merchantName: string | null;
  /** Whether new attempts use it; others are still read, because their attempts can be paid. */
  current: boolean;
  level: Level;
  createdAt: number;
  /** Start of the newest complete read of the bank's list. */
  listReadAt: number | null;
  /** Since when the bank has given no readable answer; null when it answers. */
  silentSince: number | null;
}

export interface HttpSigns {
  windowMs: number;
  requests: number;
  clientErrors: number;
  serverErrors: number;
}

export interface ProcessSigns {
  startedAt: number;
  loopP99Ms: number;
  loopMaxMs: number;
  memoryBytes: number;
}

export interface StorageSigns {
  engine: 'sqlite' | 'postgres';
  databaseBytes: number;
  /** Of the file system that the database lies on; null when it is another machine's. */
  freeBytes: number | null;
  totalBytes: number | null;
}

export interface BackupSigns {
  /** The newest copy that `service backup` made; null when there is none. */
  at: number | null;
  sandbox: boolean;
}
