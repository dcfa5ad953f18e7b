/**
 * The platform's roles except `admin`, in the order of the metadata. With this list, tests name each role without
 * loading the model.
 */
export const roleNames = [
  'user',
  'organization_admin',
  'organization_member',
  'accounting',
  'auditor',
  'compliance',
  'front_office',
  'fund_manager',
  'fund_signatory',
  'investor',
  'trader',
  'digital_wallets_admin',
  'client_user_admin',
  'kyc_sdk_user',
  'workflow_sdk_user',
  'family_office',
  'director',
  'shareholder',
  'beneficial_owner',
  'card_holder',
];
