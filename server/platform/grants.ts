import { executeOn, type Grants } from '../db/logins/sidecar-login.ts';

/**
 * The functions of the platform's schemas that the sidecar login may call. All other functions are internal and do not
 * check the arguments of their callers.
 */
const entryPoints = {
  rowgate_webhooks: [
    'apply_card',
    'apply_custody',
    'apply_identity',
    'apply_kyc',
    'begin_effect',
    'claim_callback',
    'clean_effects',
    'clean_inbox',
    'clean_reminders',
    'give_up_callback',
    'is_done',
    'next_unmatched',
    'note_failure',
    'on_asset_transaction_insert',
    'on_digital_wallet_update',
    'on_fiat_deposit_request_update',
    'on_fiat_withdrawal_request_update',
    'on_invoice_payment',
    'on_kyc_profile_update',
    'on_trade_request_update',
    'on_trade_settlement_update',
    'on_user_delete',
    'on_user_insert',
    'remind_cards',
    'remind_invoices',
    'settle_callback',
    'take_in',
    'take_in_logs',
    'take_linked',
    'warn_of_failures',
  ],
  rowgate_jobs: [
    'balance_differences',
    'clean',
    'clean_platform',
    'expire',
    'failing_triggers',
    'finish_report',
    'give_up_report',
    'late_mails',
    'late_transactions',
    'mark_stale_prices',
    'mark_stale_rates',
    'newest_quotes',
    'refresh_wallet_values',
    'report_data',
    'request_reports_again',
    'resend_events',
    'return_report',
    'snapshot_funds',
    'snapshot_wallets',
    'store_prices',
    'store_rates',
    'stuck_callbacks',
    'stuck_mails',
    'take_report',
    'tell_platform_admins',
    'wallet_coins',
  ],
} as const;

/**
 * The privileges of the sidecar login on the platform's own schemas. The sidecar login has no privileges on the tables
 * of the data API.
 */
export const platformGrants: Grants = {
  rowgate_auth: [
    'select, insert, update, delete on rowgate_auth.session, rowgate_auth.rate_limit, rowgate_auth.revoked_token, rowgate_auth.sdk_token',
    'select, insert on rowgate_auth.signing_key',
    'select on rowgate_auth.api_key',
    'update (last_used_at) on rowgate_auth.api_key',
    'execute on all functions in schema rowgate_auth',
  ],
  rowgate_documents: ['execute on all functions in schema rowgate_documents'],
  rowgate_webhooks: executeOn('rowgate_webhooks', entryPoints.rowgate_webhooks),
  rowgate_jobs: executeOn('rowgate_jobs', entryPoints.rowgate_jobs),
};
