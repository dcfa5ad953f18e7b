import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../permissions/index.ts';
import type { Model } from '../../permissions/types/model.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operandText } from './condition-text.ts';
import { labels, pairsOf } from './matrix-pairs.ts';

const metadata = path.resolve(import.meta.dirname, '../../metadata');

let database: TestDatabase;
let model: Model;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  const client = await database.connectOwner();
  model = await loadModel({ metadata, client, rolePrefix: 'm_', headerPrefix: 'X-Gql-' });
});
afterAll(() => database.drop());

const pairs = () => pairsOf(model);

const fixed = [
  'id',
  'organization_id',
  'user_id',
  'fund_id',
  'created_by',
  'created_at',
  'updated_at',
  'reviewed_by',
  'reviewed_at',
  'balance',
  'usd_value',
  'platform_admin',
];

test('no role may update the owner, the author, the timestamps or the balance of a row', () => {
  const moved = pairs().filter(({ rules }) =>
    rules.update?.columns.some((column) => fixed.includes(column)),
  );
  expect(labels(moved)).toEqual([]);
});

test('every insert rule presets created_by to the caller where the table has that column', () => {
  const anonymous = pairs().filter(({ table, rules }) => {
    const preset = rules.insert?.presets.find((one) => one.column === 'created_by');
    return (
      rules.insert &&
      table.columns.has('created_by') &&
      (!preset || operandText(preset.value) !== '$user_id')
    );
  });
  expect(labels(anonymous)).toEqual([]);
});

test.each([
  ['user', 'platform_admin', []],
  [
    'user',
    'email',
    [
      'user',
      'investor',
      'shareholder',
      'beneficial_owner',
      'card_holder',
      'kyc_sdk_user',
      'organization_admin',
      'organization_member',
      'client_user_admin',
      'fund_manager',
      'compliance',
    ],
  ],
  ['invoice', 'internal_notes', ['accounting', 'auditor']],
  ['invoice', 'cost_breakdown', ['accounting']],
  ['fiat_deposit_request', 'account_token', []],
  ['fiat_withdrawal_request', 'account_token', []],
  ['kyc_profile', 'is_sanctioned', ['compliance']],
  ['kyc_profile', 'is_pep', ['compliance']],
  ['kyc_profile', 'risk_level', ['compliance']],
  ['kyc_profile', 'review_reason', ['compliance']],
  ['kyc_profile', 'applicant_id', ['compliance']],
  ['kyc_profile', 'date_of_birth', ['user', 'beneficial_owner', 'kyc_sdk_user', 'compliance']],
  ['kyc_document', 'provider_document_id', ['compliance']],
  ['kyc_document', 'rejection_reason', ['compliance']],
  ['case', 'summary', ['compliance', 'front_office']],
  ['case', 'assigned_to', ['compliance']],
  ['card', 'provider_card_id', ['compliance']],
  ['card_transaction', 'merchant_name', ['card_holder', 'organization_admin', 'compliance']],
  ['login_event', 'ip', ['user', 'compliance']],
  ['login_event', 'log_id', ['compliance']],
  ['uploaded_file', 'name', ['user', 'beneficial_owner', 'kyc_sdk_user', 'compliance']],
  ['digital_wallet', 'custody_wallet_id', ['digital_wallets_admin']],
  ['asset_transaction', 'custody_transfer_id', ['auditor', 'compliance', 'digital_wallets_admin']],
  [
    'trade_request',
    'status_reason',
    ['fund_manager', 'fund_signatory', 'front_office', 'trader', 'auditor', 'compliance'],
  ],
  ['notification', 'body', ['user', 'workflow_sdk_user', 'card_holder']],
])('exactly the listed roles may read %s.%s', (name, column, readers) => {
  const shown = pairs().filter(
    ({ table, rules }) =>
      table.name === name &&
      [...(rules.select?.columns ?? []), ...rules.hiddenKeys].includes(column),
  );
  expect(shown.map(({ role }) => role.name).sort()).toEqual([...readers].sort());
});
