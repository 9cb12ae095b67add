import type { AuditTable } from './audit.ts';
import type {
  MembershipTable,
  RecoveryCodeTable,
  SessionTable,
  UserLinkTable,
  UserTable,
} from './backoffice.ts';
import type { BankAccountTable, BankHintTable } from './banks.ts';
import type { IdempotencyTable, PostCountTable } from './idempotency.ts';
import type { LeadErasureTable, LeadErasureWaitTable, LeadTable } from './leads.ts';
import type { ApiKeyTable, MerchantTable, StoreDomainTable } from './merchants.ts';
import type { MetaTable } from './meta.ts';
import type {
  AttemptTable,
  DailyMethodTotalTable,
  DailyTotalTable,
  ReceiptNoteTable,
  ReceiptTable,
  TransactionTable,
} from './payments.ts';
import type { SearchDocumentTable, SearchSectionTable } from './search.ts';
import type {
  DeliveryAttemptTable,
  DeliveryTable,
  EventCounterTable,
  EventTable,
  RecoveryTable,
} from './webhooks.ts';

/**
 * The tables, typed, with one shape for both engines: instants are UTC milliseconds, amounts are cents, booleans are 0 or 1, objects
 * are JSON text. States have the names of the contract.
 */
export interface Tables {
  meta: MetaTable;
  merchants: MerchantTable;
  api_keys: ApiKeyTable;
  store_domains: StoreDomainTable;
  bank_accounts: BankAccountTable;
  transactions: TransactionTable;
  attempts: AttemptTable;
  receipts: ReceiptTable;
  bank_hints: BankHintTable;
  events: EventTable;
  event_counters: EventCounterTable;
  recoveries: RecoveryTable;
  deliveries: DeliveryTable;
  delivery_attempts: DeliveryAttemptTable;
  leads: LeadTable;
  lead_erasures: LeadErasureTable;
  lead_erasure_waits: LeadErasureWaitTable;
  idempotency: IdempotencyTable;
  daily_totals: DailyTotalTable;
  daily_method_totals: DailyMethodTotalTable;
  receipt_notes: ReceiptNoteTable;
  users: UserTable;
  recovery_codes: RecoveryCodeTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  user_links: UserLinkTable;
  audit_log: AuditTable;
  post_counts: PostCountTable;
  search_documents: SearchDocumentTable;
  search_sections: SearchSectionTable;
}
