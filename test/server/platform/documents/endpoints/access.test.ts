import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocumentClient, ids, startDocumentClient, wordsOfPage } from './document-client.ts';

let client: DocumentClient;
beforeAll(async () => {
  client = await startDocumentClient();
});
afterAll(() => client.world.end());

/** A person of the demo data for each role. */
const people = {
  user: 'alder-admin',
  organization_admin: 'alder-admin',
  organization_member: 'alder-member',
  accounting: 'alder-finance',
  auditor: 'alder-auditor',
  compliance: 'alder-compliance',
  front_office: 'cedar-desk',
  fund_manager: 'cedar-funds',
  fund_signatory: 'cedar-signatory',
  investor: 'alder-investor',
  trader: 'alder-trader',
  digital_wallets_admin: 'birch-trader',
  client_user_admin: 'alder-admin',
  kyc_sdk_user: 'alder-cardholder',
  workflow_sdk_user: 'alder-cardholder',
  family_office: 'birch-admin',
  director: 'alder-director',
  shareholder: 'alder-investor',
  beneficial_owner: 'alder-director',
  card_holder: 'alder-cardholder',
} as const;
type Role = keyof typeof people;

const documents: readonly [string, readonly Role[]][] = [
  [`/invoices/${ids.invoice}`, ['organization_admin', 'accounting', 'auditor', 'director']],
  [`/receipts/${ids.receipt}`, ['organization_admin', 'accounting', 'auditor']],
  [
    `/quotes/${ids.quote}`,
    ['organization_admin', 'accounting', 'auditor', 'front_office', 'trader', 'workflow_sdk_user'],
  ],
  [
    `/quotes/${ids.quoteOfBirch}`,
    ['accounting', 'auditor', 'front_office', 'trader', 'family_office'],
  ],
  [`/quotes/${ids.draftQuote}`, ['accounting', 'auditor', 'front_office', 'trader']],
  [
    '/product-catalog',
    ['user', 'organization_admin', 'organization_member', 'accounting', 'auditor', 'front_office'],
  ],
  [`/funds/${ids.fund}/user-agreement`, ['investor', 'fund_manager']],
];

const cases = documents.flatMap(([path, readers]) =>
  (Object.keys(people) as Role[]).map((role) => ({
    path,
    role,
    status: readers.includes(role) ? 200 : 404,
  })),
);

test.each(cases)(
  'GET $path answers the role $role with status $status',
  async ({ path, role, status }) => {
    const response = await client.as(people[role], path, { headers: { 'X-Gql-Role': role } });
    expect(response.status).toBe(status);
  },
);

describe('GET of an invoice', () => {
  const read = async (who: string, role: Role) => {
    const response = await client.as(who, `/invoices/${ids.invoice}`, {
      headers: { 'X-Gql-Role': role },
    });
    return wordsOfPage(await response.text());
  };

  test.each(['html', 'pdf'])(
    'returns a shorter document for a client copy, also in the format %s',
    async (format) => {
      const path = `/invoices/${ids.invoice}?format=${format}`;
      const headers = { 'X-Gql-Role': 'accounting' };
      const own = await client.as('alder-finance', path, { headers });
      const copy = await client.as('alder-finance', `${path}&copy=client`, { headers });
      expect([own.status, copy.status]).toEqual([200, 200]);
      expect(copy.headers.get('etag')).not.toBe(own.headers.get('etag'));
      const length = async (response: Response) => (await response.arrayBuffer()).byteLength;
      expect(await length(copy)).toBeLessThan(await length(own));
    },
  );

  test('returns a client copy with everything but the internal parts', async () => {
    const headers = { 'X-Gql-Role': 'accounting' };
    const path = `/invoices/${ids.invoice}?copy=client`;
    const page = wordsOfPage(await (await client.as('alder-finance', path, { headers })).text());
    expect(page).toContain('Fund administration');
    expect(page).toContain('US$1,200.00');
    expect(page).not.toContain('Internal');
    expect(page).not.toContain('Paid early, offer a discount');
  });

  test.each(['copy=me', 'Copy=client', 'copy[]=client', 'copy=client&copy=client'])(
    'is refused with the misspelled parameter ?%s',
    async (query) => {
      const response = await client.as('alder-finance', `/invoices/${ids.invoice}?${query}`);
      expect(response.status).toBe(400);
    },
  );

  test.each([
    ['alder-finance', 'accounting', true, true],
    ['alder-auditor', 'auditor', true, false],
    ['alder-admin', 'organization_admin', false, false],
    ['alder-director', 'director', false, false],
  ] as const)(
    'shows the person %s in the role %s internal notes: %s, costs: %s',
    async (who, role, notes, costs) => {
      const words = await read(who, role);
      expect(words.includes('Paid early, offer a discount')).toBe(notes);
      expect(words.includes('Internal notes')).toBe(notes);
      expect(words.includes('250.50')).toBe(costs);
      expect(words.includes('what this cost us')).toBe(costs);
    },
  );

  test('shows a director the amount due, but no invoice number and no lines', async () => {
    const words = await read('alder-director', 'director');
    expect(words).toContain('1,200.00');
    expect(words).not.toContain('INV-2025-000101');
    expect(words).not.toContain('Custody');
  });
});

describe('GET of a document without a role header', () => {
  test("uses the first of the person's roles that may see the document", async () => {
    const response = await client.as('alder-admin', `/invoices/${ids.invoice}`);
    expect(wordsOfPage(await response.text())).toContain('Invoice INV-2025-000101');
  });

  test('shows the contents for that role alone, although another role of the person may see other parts', async () => {
    const path = `/invoices/${ids.invoice}`;
    const asBoth = await client.as('dogwood-finance', path);
    expect(wordsOfPage(await asBoth.text())).toContain('what this cost us');
    const headers = { 'X-Gql-Role': 'auditor' };
    const asAuditor = await client.as('dogwood-finance', path, { headers });
    expect(wordsOfPage(await asAuditor.text())).not.toContain('what this cost us');
  });

  test('also uses the role user, which every person has', async () => {
    const response = await client.as('alder-cardholder', `/quotes/${ids.quote}`);
    expect(response.status).toBe(200);
  });

  test.each([
    ['alder-member', `/invoices/${ids.invoice}`],
    ['birch-admin', `/invoices/${ids.invoice}`],
    ['birch-admin', `/receipts/${ids.receipt}`],
    ['birch-admin', `/quotes/${ids.quote}`],
    ['cedar-admin', `/quotes/${ids.draftQuote}`],
    ['alder-admin', `/funds/${ids.fund}/user-agreement`],
    ['cedar-signatory', `/funds/${ids.fund}/user-agreement`],
  ])('answers 404 when no role of the person may see the document: %s, %s', async (who, path) => {
    expect((await client.as(who, path)).status).toBe(404);
  });
});

test.each(['invoices', 'receipts', 'quotes'])(
  'a document that the person may not see is answered like one that does not exist: %s',
  async (kind) => {
    const of = { invoices: ids.invoice, receipts: ids.receipt, quotes: ids.quote }[kind];
    const answerFor = async (id: string | undefined) => {
      const response = await client.as('birch-admin', `/${kind}/${id}`);
      const { requestId: _, ...problem } = (await response.json()) as { requestId: string };
      const headers = new Headers(response.headers);
      for (const name of ['x-request-id', 'date']) headers.delete(name);
      return { problem, headers: [...headers] };
    };
    const hidden = await answerFor(of);
    expect(hidden).toEqual(await answerFor(ids.nothing));
    expect(hidden).toEqual(await answerFor('no-id'));
    expect(hidden.problem).toMatchObject({ status: 404, code: 'not-found' });
  },
);

describe('GET of a document is refused for', () => {
  const path = `/invoices/${ids.invoice}`;

  test.each(['accounting', 'admin', 'no_such_role'])(
    'the role %j to a person who does not have it',
    async (role) => {
      const response = await client.as('alder-member', path, { headers: { 'X-Gql-Role': role } });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'wrong-role' });
    },
  );

  test.each([
    ['X-Gql-Organization-Id', '00000000-0000-4000-8000-000000000002'],
    ['X-Gql-User-Id', 'local|birch-admin'],
    ['X-Gql-Allowed-Funds', '{}'],
    ['X-Gql-Admin-Secret', 'a'.repeat(40)],
    ['X-Gql-Use-Backend-Only-Permissions', 'true'],
  ])('a request with the session variable or secret header %s', async (name, value) => {
    const response = await client.as('alder-admin', path, { headers: { [name]: value } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'bad-request' });
  });

  test('a disabled person, with 401', async () => {
    const response = await client.as('dogwood-former', '/product-catalog');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'unknown-user' });
  });

  test.each(documents.map(([document]) => document))(
    'a request without a sign-in to %s, with 401',
    async (document) => {
      const response = await client.world.server.fetch(document);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    },
  );
});

test("a document is refused from the next request after the person's role was taken away", async () => {
  const { sql } = client.world;
  const see = async () => (await client.as('birch-finance', `/invoices/${ids.invoice}`)).status;
  expect(await see()).toBe(200);
  await sql("delete from user_role where user_id = 'local|birch-finance' and role = 'accounting'");
  expect(await see()).toBe(404);
});
