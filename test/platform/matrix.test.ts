import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Report } from '../../permissions/diagnostics.ts';
import { metadataFindings } from '../../permissions/lint/metadata-findings.ts';
import { loadMetadata } from '../../permissions/metadata/load-metadata.ts';
import { type LoadedModel, resolveModel } from '../../permissions/model/load-model.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { conditionText } from './condition-text.ts';
import { goldenText } from './golden-text.ts';
import { matrixText } from './matrix.ts';
import { depends, labels, pairsOf, writes } from './matrix-pairs.ts';

const metadata = path.resolve(import.meta.dirname, '../../metadata');

let database: TestDatabase;
let loaded: LoadedModel;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  const client = await database.connectOwner();
  loaded = await resolveModel({ metadata, client, rolePrefix: 'm_', headerPrefix: 'X-Gql-' });
});
afterAll(() => database.drop());

const pairs = () => pairsOf(loaded.model);

test('the permission matrix computed from the metadata equals the reviewed matrix.md', async () => {
  const raw = await loadMetadata(metadata, new Report());
  const grouped = (raw?.roles ?? []).map(({ name, group }) => ({ name, group }));
  const text = matrixText(loaded.model, grouped);
  expect(text).toBe(await goldenText('matrix.md', text));
});

/** Foreign key columns that a relationship needs, although the rule hides them. They reveal only the owner of the row. */
const acceptedKeys = [
  'front_office digital_wallet organization_id',
  'investor fund_subscription user_id',
  'organization_admin digital_wallet organization_id',
  'organization_admin digital_wallet user_id',
];

test('check reports nothing about the platform but the reviewed foreign key columns', () => {
  const findings = [...loaded.warnings, ...metadataFindings(loaded)];
  expect(findings.filter((one) => one.code !== 'RG_HIDDEN_KEY')).toEqual([]);
  const keys = pairs().flatMap(({ label, rules }) =>
    rules.hiddenKeys.map((column) => `${label} ${column}`),
  );
  expect(keys.sort()).toEqual(acceptedKeys);
  expect(findings.length).toBe(acceptedKeys.length);
});

/** Tables whose rows are the same for all callers. */
const shared = ['product', 'coin_price', 'currency_rate'];

test('every select rule of a role that requires variables compares a variable, except on shared tables', () => {
  const bound = pairs().filter(({ role, table }) => {
    return role.requires.length > 0 && !shared.includes(table.name);
  });
  const open = bound.filter(({ role, rules }) => {
    return rules.select && !depends(rules.select.filter, role.requires);
  });
  expect(bound.length).toBeGreaterThan(100);
  expect(labels(open)).toEqual([]);
});

test('every select rule of a role of an organization is limited to that organization', () => {
  const tenants = pairs().filter(({ role, table }) => {
    return role.requires.includes('organization_id') && table.columns.has('organization_id');
  });
  const foreign = tenants.filter(({ rules }) => {
    const filter = rules.select && conditionText(rules.select.filter);
    return !filter?.split(' and ').includes('organization_id = $organization_id');
  });
  expect(tenants.length).toBeGreaterThan(30);
  expect(labels(foreign)).toEqual([]);
});

test('every write rule of a role that requires variables compares one of them', () => {
  const bound = pairs().filter((pair) => pair.role.requires.length > 0 && writes(pair));
  const open = bound.filter(({ role, rules }) => {
    const conditions = [rules.insert?.check, rules.update?.filter, rules.delete?.filter];
    return conditions.some((one) => one && !depends(one, role.requires));
  });
  expect(bound.length).toBeGreaterThan(25);
  expect(labels(open)).toEqual([]);
});

test('every write rule of the platform has a condition', () => {
  const open = pairs().filter(({ rules }) =>
    [rules.insert?.check, rules.update?.filter, rules.delete?.filter].some(
      (one) => one && conditionText(one) === undefined,
    ),
  );
  expect(labels(open)).toEqual([]);
});

test('every role that may write a table may also read it', () => {
  expect(labels(pairs().filter((pair) => writes(pair) && !pair.rules.select))).toEqual([]);
});

test('every delete rule is limited to drafts', () => {
  const deleting = pairs().filter(({ rules }) => rules.delete);
  const others = deleting.filter(({ rules }) => {
    const filter = rules.delete && conditionText(rules.delete.filter);
    return !/(^|and |^invoice \()status = draft\)?($| and)/.test(filter ?? '');
  });
  expect(deleting.length).toBeGreaterThan(15);
  expect(labels(others)).toEqual([]);
});

test('only the listed tables have delete rules, so records of what happened cannot be deleted', () => {
  const deleted = new Set(
    pairs()
      .filter(({ rules }) => rules.delete)
      .map(({ table }) => table.name),
  );
  expect([...deleted].sort()).toEqual([
    'address_book_entry',
    'card',
    'digital_wallet',
    'fiat_deposit_request',
    'fiat_withdrawal_request',
    'fund_subscription',
    'invoice',
    'invoice_line',
    'otc_quote',
    'report',
    'trade_request',
  ]);
});

/**
 * Tables that only the platform writes. A role that could write them could grant rights, or forge records of other
 * people.
 */
const untouchable = [
  'user_role',
  'fund_access',
  'receipt',
  'uploaded_file',
  'card_transaction',
  'login_event',
  'portfolio_snapshot',
  'product',
  'coin_price',
  'currency_rate',
];

test('no role may write tables that only the platform writes', () => {
  const written = pairs().filter((pair) => writes(pair) && untouchable.includes(pair.table.name));
  expect(labels(written)).toEqual([]);
});

test('every rule that records a reviewer excludes rows of the reviewer', () => {
  const deciding = pairs().filter(({ rules }) =>
    rules.update?.presets.some(({ column }) => column === 'reviewed_by'),
  );
  const own = deciding.filter(({ table, rules }) => {
    const filter = rules.update ? (conditionText(rules.update.filter) ?? '') : '';
    const entered = !table.columns.has('created_by') || filter.includes('created_by <> $user_id');
    return !(entered && filter.includes('user_id <> $user_id'));
  });
  expect(labels(deciding).sort()).toEqual([
    'accounting fiat_deposit_request',
    'accounting fiat_withdrawal_request',
    'compliance kyc_profile',
    'digital_wallets_admin asset_transaction',
    'front_office trade_request',
    'fund_signatory fiat_withdrawal_request',
    'fund_signatory fund_subscription',
    'fund_signatory trade_request',
  ]);
  expect(labels(own)).toEqual([]);
});

test('a rule that submits a draft is limited to the author of the draft or to the person it concerns', () => {
  const submitting = pairs().filter(({ rules }) => {
    const { filter, check } = rules.update ?? {};
    const drafts = filter && conditionText(filter)?.includes('status = draft');
    return drafts && check && conditionText(check)?.includes('submitted');
  });
  const others = submitting.filter(({ rules }) => {
    const filter = rules.update && conditionText(rules.update.filter)?.split(' and ');
    return !filter?.some((one) => /^(created_by|user_id) = \$user_id$/.test(one));
  });
  expect(submitting.length).toBe(12);
  expect(labels(others)).toEqual([]);
});

test('no rule lets a role approve without recording the reviewer, except the progress of a trade', () => {
  const approving = pairs().filter(({ table, rules }) => {
    const { update } = rules;
    const becomes = update?.check && conditionText(update.check);
    return (
      table.columns.has('created_by') &&
      update?.columns.includes('status') &&
      /status (= approved|in \([^)]*approved)/.test(becomes ?? '') &&
      !update.presets.some(({ column }) => column === 'reviewed_by')
    );
  });
  // An approved row stays approved while the trader records the progress of its execution.
  expect(labels(approving)).toEqual(['trader trade_request']);
});
