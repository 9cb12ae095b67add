import type * as audit from './audit.ts';
import type * as backoffice from './backoffice.ts';
import type * as banks from './banks.ts';
import type * as checkout from './checkout.ts';
import type * as idempotency from './idempotency.ts';
import type * as leads from './leads.ts';
import type * as mails from './mails.ts';
import type * as merchants from './merchants.ts';
import type * as payments from './payments.ts';
import type * as refunds from './refunds.ts';
import type * as requests from './requests.ts';
import type * as search from './search.ts';
import type * as webhooks from './webhooks.ts';

/**
 * The tables, typed, with one shape for both engines: instants are UTC milliseconds, amounts are cents, booleans are 0 or 1,
 * objects are JSON text. States have the names of the contract.
 */
export interface Tables {
  meta: { key: string; value: string };
  merchants: merchants.MerchantTable;
  api_keys: merchants.ApiKeyTable;
  store_domains: merchants.StoreDomainTable;
  bank_accounts: banks.BankAccountTable;
  bank_routes: banks.BankRouteTable;
  transactions: payments.TransactionTable;
  checkout_sessions: checkout.CheckoutSessionTable;
  checkout_pushes: checkout.CheckoutPushTable;
  payment_links: checkout.PaymentLinkTable;
  merchant_brands: checkout.MerchantBrandTable;
  attempts: payments.AttemptTable;
  receipts: payments.ReceiptTable;
  bank_hints: banks.BankHintTable;
  events: webhooks.EventTable;
  event_counters: webhooks.EventCounterTable;
  recoveries: webhooks.RecoveryTable;
  auto_recoveries: webhooks.AutoRecoveryTable;
  deliveries: webhooks.DeliveryTable;
  delivery_attempts: webhooks.DeliveryAttemptTable;
  leads: leads.LeadTable;
  lead_erasures: leads.LeadErasureTable;
  lead_erasure_waits: leads.LeadErasureWaitTable;
  idempotency: idempotency.IdempotencyTable;
  daily_totals: payments.DailyTotalTable;
  daily_method_totals: payments.DailyMethodTotalTable;
  receipt_notes: payments.ReceiptNoteTable;
  refunds: refunds.RefundTable;
  refund_history: refunds.RefundHistoryTable;
  reported_refunds: refunds.ReportedRefundTable;
  users: backoffice.UserTable;
  recovery_codes: backoffice.RecoveryCodeTable;
  passkeys: backoffice.PasskeyTable;
  passkey_challenges: backoffice.PasskeyChallengeTable;
  memberships: backoffice.MembershipTable;
  sessions: backoffice.SessionTable;
  user_links: backoffice.UserLinkTable;
  audit_log: audit.AuditTable;
  post_counts: idempotency.PostCountTable;
  api_requests: requests.ApiRequestTable;
  mails: mails.MailTable;
  search_documents: search.SearchDocumentTable;
  search_sections: search.SearchSectionTable;
}
