import type { AuditTable } from './audit.ts';
import type {
  MembershipTable,
  PasskeyChallengeTable,
  PasskeyTable,
  RecoveryCodeTable,
  SessionTable,
  UserLinkTable,
  UserTable,
} from './backoffice.ts';
import type { BankAccountTable, BankHintTable, BankRouteTable } from './banks.ts';
import type {
  CheckoutPushTable,
  CheckoutSessionTable,
  MerchantBrandTable,
  PaymentLinkTable,
} from './checkout.ts';
import type { IdempotencyTable, PostCountTable } from './idempotency.ts';
import type { LeadErasureTable, LeadErasureWaitTable, LeadTable } from './leads.ts';
import type { MailTable } from './mails.ts';
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
import type { RefundHistoryTable, RefundTable, ReportedRefundTable } from './refunds.ts';
import type { ApiRequestTable } from './requests.ts';
import type { SearchDocumentTable, SearchSectionTable } from './search.ts';
import type {
  AutoRecoveryTable,
  DeliveryAttemptTable,
  DeliveryTable,
  EventCounterTable,
  EventTable,
  RecoveryTable,
} from './webhooks.ts';

/**
 * The tables, typed, with one shape for both engines: instants are UTC milliseconds, amounts are cents, booleans are 0 or 1,
 * objects are JSON text. States have the names of the contract.
 */
export interface Tables {
  meta: MetaTable;
  merchants: MerchantTable;
  api_keys: ApiKeyTable;
  store_domains: StoreDomainTable;
  bank_accounts: BankAccountTable;
  bank_routes: BankRouteTable;
  transactions: TransactionTable;
  checkout_sessions: CheckoutSessionTable;
  checkout_pushes: CheckoutPushTable;
  payment_links: PaymentLinkTable;
  merchant_brands: MerchantBrandTable;
  attempts: AttemptTable;
  receipts: ReceiptTable;
  bank_hints: BankHintTable;
  events: EventTable;
  event_counters: EventCounterTable;
  recoveries: RecoveryTable;
  auto_recoveries: AutoRecoveryTable;
  deliveries: DeliveryTable;
  delivery_attempts: DeliveryAttemptTable;
  leads: LeadTable;
  lead_erasures: LeadErasureTable;
  lead_erasure_waits: LeadErasureWaitTable;
  idempotency: IdempotencyTable;
  daily_totals: DailyTotalTable;
  daily_method_totals: DailyMethodTotalTable;
  receipt_notes: ReceiptNoteTable;
  refunds: RefundTable;
  refund_history: RefundHistoryTable;
  reported_refunds: ReportedRefundTable;
  users: UserTable;
  recovery_codes: RecoveryCodeTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  user_links: UserLinkTable;
  audit_log: AuditTable;
  post_counts: PostCountTable;
  api_requests: ApiRequestTable;
  mails: MailTable;
  search_documents: SearchDocumentTable;
  search_sections: SearchSectionTable;
}
