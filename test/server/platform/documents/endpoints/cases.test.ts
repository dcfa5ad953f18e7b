import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../../../../server/platform/accounts/api-keys/key-store.ts';
import { storeKey } from '../../accounts/api-keys/stored-key.ts';
import { alder, birch, type DocumentClient, ids, startDocumentClient } from './document-client.ts';

let client: DocumentClient;
beforeAll(async () => {
  client = await startDocumentClient();
});
afterAll(() => client.world.end());

async function keyOf(values: Partial<Omit<NewApiKey, 'id' | 'digest'>>): Promise<string> {
  const owner = await client.world.database.connectOwner();
  return (await storeKey(owner, { scopes: ['case:read'], ...values })).text;
}

const report = (id: string) => `/pdf/case/${id}/report`;
const agreement = (id: string) => `/pdf/case/${id}/agreement`;

async function statusOf(values: Parameters<typeof keyOf>[0], path: string): Promise<string> {
  const response = await client.withKey(await keyOf(values), path);
  if (response.status === 200) return `200 ${response.headers.get('content-type')}`;
  const { code } = (await response.json()) as { readonly code: string };
  return `${response.status} ${code}`;
}

const pdf = '200 application/pdf';
const missing = '404 not-found';

describe('an API key for the documents of a case', () => {
  test.each([
    ['compliance', undefined, ids.case, pdf, pdf],
    ['compliance', undefined, ids.alert, pdf, missing],
    ['compliance', alder, ids.case, pdf, pdf],
    ['compliance', birch, ids.case, missing, missing],
    ['compliance', birch, ids.caseOfBirch, pdf, pdf],
    ['organization_admin', alder, ids.case, pdf, pdf],
    ['organization_admin', alder, ids.alert, missing, missing],
    ['organization_admin', alder, ids.caseOfBirch, missing, missing],
    ['front_office', undefined, ids.case, pdf, missing],
    ['front_office', undefined, ids.alert, missing, missing],
    ['director', undefined, ids.case, pdf, missing],
    ['trader', undefined, ids.case, missing, missing],
    ['accounting', undefined, ids.case, missing, missing],
    ['compliance', undefined, ids.nothing, missing, missing],
    ['compliance', undefined, 'no-id', missing, missing],
  ])(
    'with the role %s for the organization %s gets, for the case %s, the report: %s, and the agreement: %s',
    async (role, organizationId, id, one, two) => {
      expect(await statusOf({ role, organizationId }, report(id))).toBe(one);
      expect(await statusOf({ role, organizationId }, agreement(id))).toBe(two);
    },
  );

  test.each([report(ids.case), agreement(ids.case)])(
    'without the scope for cases is refused at %s',
    async (path) => {
      const scopes = ['admin', 'sdk:kyc', 'sdk:workflow'] as const;
      expect(await statusOf({ scopes, role: 'compliance' }, path)).toBe('403 missing-scope');
    },
  );

  test.each([
    ['no role', undefined],
    ['a role that is no longer in the rules', 'gone'],
    ['the admin role', 'admin'],
    ['a role that needs an organization, and no organization', 'organization_admin'],
    ['a role that needs a person', 'user'],
  ])('with %s is refused', async (_what, role) => {
    expect(await statusOf({ role }, report(ids.case))).toBe('403 missing-role');
  });

  test("is refused when the role header names another role than the key's", async () => {
    const key = await keyOf({ role: 'front_office' });
    const ask = async (role: string) =>
      (await client.withKey(key, report(ids.case), { headers: { 'X-Gql-Role': role } })).status;
    expect([await ask('front_office'), await ask('compliance')]).toEqual([200, 403]);
  });

  test('is refused when it sends session variables', async () => {
    const key = await keyOf({ role: 'organization_admin', organizationId: birch });
    const headers = { 'X-Gql-Organization-Id': alder };
    expect((await client.withKey(key, report(ids.case), { headers })).status).toBe(400);
  });

  test.each([[{ expiresAt: new Date(0) }], [{ organizationId: birch, expiresAt: new Date(0) }]])(
    'is refused after it has expired',
    async (values) => {
      expect(await statusOf({ role: 'compliance', ...values }, report(ids.case))).toBe(
        '401 invalid-token',
      );
    },
  );

  test('is refused at the addresses of documents for people', async () => {
    const key = await keyOf({ scopes: ['case:read', 'admin'], role: 'accounting' });
    for (const path of [`/invoices/${ids.invoice}`, '/product-catalog'])
      expect((await client.withKey(key, path)).status).toBe(401);
  });
});

test('a signed-in person cannot read the documents of cases, whatever the role', async () => {
  for (const path of [report(ids.case), agreement(ids.case)])
    expect((await client.as('alder-compliance', path)).status).toBe(401);
});

test('the documents of a case are sent as PDF only', async () => {
  const key = await keyOf({ role: 'compliance' });
  const ask = (format: string) => client.withKey(key, `${report(ids.case)}?format=${format}`);
  expect((await ask('pdf')).status).toBe(200);
  expect((await ask('html')).status).toBe(400);
});

test('the documents of a case have headers that let only the client cache them, separately for each API key', async () => {
  const response = await client.withKey(await keyOf({ role: 'compliance' }), report(ids.case));
  expect(response.headers.get('vary')).toBe('X-API-Key, X-Gql-Role');
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  expect(response.headers.get('content-disposition')).toBe(
    'inline; filename="case-report-CASE-2025-000101.pdf"',
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
});
