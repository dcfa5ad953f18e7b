import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  alder,
  type DocumentClient,
  startDocumentClient,
  wordsOfPage,
} from '../endpoints/document-client.ts';

let client: DocumentClient;
let next = 0;
beforeAll(async () => {
  client = await startDocumentClient({ ROWGATE_BANK_ACCOUNT: 'IBAN: GB19 DEMO 0000 0000 0000 01' });
});
afterAll(() => client.world.end());

interface Given {
  /** The columns of the invoice itself. Each value is an SQL expression. */
  readonly invoice?: Readonly<Record<string, string>>;
  /**
   * The lines of the invoice. Each is an SQL list of description, quantity, unit price and tax
   * rate.
   */
  readonly lines?: readonly string[];
  /** The payments of the invoice. Each is an SQL list of amount, currency and status. */
  readonly payments?: readonly string[];
}

/** Inserts an invoice of the organization Alder, and returns its id. */
async function enter({ invoice = {}, lines = [], payments = [] }: Given): Promise<string> {
  next += 1;
  const id = `30000000-0000-4000-8000-${String(next).padStart(12, '5')}`;
  const own = { currency: "'USD'", status: "'issued'", invoice_number: `'T-${next}'`, ...invoice };
  await client.world.sql(
    `insert into invoice (id, organization_id, ${Object.keys(own).join(', ')})
     values ('${id}', '${alder}', ${Object.values(own).join(', ')})`,
    ...lines.map(
      (line, index) => `insert into invoice_line
        (organization_id, invoice_id, position, description, quantity, unit_price, tax_rate)
        values ('${alder}', '${id}', ${index + 1}, ${line})`,
    ),
    ...payments.map(
      (payment) => `insert into invoice_payment
        (organization_id, invoice_id, amount, currency, status) values ('${alder}', '${id}', ${payment})`,
    ),
  );
  return id;
}

async function page(id: string, who = 'alder-finance'): Promise<string> {
  const response = await client.as(who, `/invoices/${id}`);
  expect(response.status).toBe(200);
  return response.text();
}

const words = async (given: Given, who?: string) =>
  wordsOfPage(await page(await enter(given), who));

test.each([
  ['issued', true],
  ['overdue', true],
  ['draft', false],
  ['void', false],
])('an invoice that is %s names the account to pay to: %s', async (status, names) => {
  const shown = await words({ invoice: { total: '5', status: `'${status}'` } });
  expect(/Please pay to .*IBAN GB19 DEMO .* Reference T-\d+/.test(shown)).toBe(names);
});

describe('the printed total of an invoice', () => {
  test('is summed by tax rate, exact to the cent', async () => {
    const lines = [
      "'A', 3, 0.10, 20",
      "'B', 1.5, 33.33, 7.7",
      "'C', 1, 100, 0",
      "'D', 1, 9.99, 20",
    ];
    const invoice = { total: '0.30 + 0.06 + 50.00 + 3.85 + 100 + 9.99 + 2.00' };
    const shown = await words({ invoice, lines });
    expect(shown).toContain('Subtotal US$160.29');
    expect(shown).toMatch(
      /Tax at 0% US\$0\.00 Tax at 7\.7% US\$3\.85 Tax at 20% US\$2\.06 Total US\$166\.20/,
    );
    expect(shown).not.toContain('differs');
  });

  test('is the stored total, and a row shows how far the lines differ from it', async () => {
    const given = { invoice: { total: '100' }, lines: ["'A', 1, 80, 20"] };
    const line = 'Tax at 20% US$16.00 The total differs from the lines by US$4.00 Total US$100.00';
    expect(await words(given)).toContain(line);
    expect(await words(given, 'alder-admin')).toContain(line);
  });

  test('has a minus sign for a credit', async () => {
    const shown = await words({ invoice: { total: '-150' }, lines: ["'Credit', 1, -150, 0"] });
    expect(shown).toContain('Total -US$150.00');
    expect(shown).toContain('Credit balance US$150.00');
  });

  test('keeps all digits of an amount too large for a float', async () => {
    const invoice = { total: '123456789012345678.91' };
    expect(await words({ invoice, lines: ["'A', 1, 123456789012345678.91, 0"] })).toContain(
      'Total US$123,456,789,012,345,678.91',
    );
  });

  test('is shown without subtotals when the invoice has no lines', async () => {
    const shown = await words({ invoice: { total: '12.30' } });
    expect(shown).toContain('Total US$12.30');
    expect(shown).not.toContain('What is billed');
    expect(shown).not.toContain('differs');
  });
});

describe('the printed balance of an invoice', () => {
  test('is the total minus confirmed payments', async () => {
    const payments = [
      `60, 'USD', 'confirmed'`,
      `15, 'USD', 'pending'`,
      `9, 'USD', 'failed'`,
      `8, 'USD', 'refunded'`,
    ];
    const shown = await words({ invoice: { total: '100' }, payments });
    expect(shown).toContain('Received US$60.00 Balance due US$40.00');
  });

  test('is shown as a credit after an overpayment', async () => {
    const shown = await words({ invoice: { total: '100' }, payments: [`130, 'USD', 'confirmed'`] });
    expect(shown).toContain('Received US$130.00 Credit balance US$30.00');
  });

  test('is not shown when a payment is in another currency', async () => {
    const shown = await words({ invoice: { total: '100' }, payments: [`60, 'EUR', 'confirmed'`] });
    expect(shown).toContain('€60.00');
    expect(shown).not.toContain('Balance');
  });

  test.each(['draft', 'void'])('is not shown when it is %s', async (status) => {
    expect(await words({ invoice: { total: '100', status: `'${status}'` } })).not.toContain(
      'Balance',
    );
  });

  test('is not shown to a reader who may not see payments', async () => {
    expect(await words({ invoice: { total: '100' } }, 'alder-director')).not.toContain('Balance');
  });
});

describe('the printed parties of an invoice', () => {
  test('show only columns that the role may see', async () => {
    const path = '30000000-0000-4000-8000-000000000404';
    const full = wordsOfPage(await page(path));
    expect(full).toContain(
      'Dogwood Partners 12 Orchard Row London EC2A 4XX United Kingdom Tax number',
    );
    const seen = wordsOfPage(await page(path, 'alder-auditor'));
    expect(seen).toContain('Dogwood Partners United Kingdom');
    expect(seen).not.toContain('Orchard');
    expect(seen).not.toContain('Tax number');
  });
});

describe('the costs on an invoice, a JSON object,', () => {
  test('are printed with all digits, and other values unchanged', async () => {
    const costs = `'{"staff": 0.1, "third_party": 0.20, "big": 12345678901234567890.12, "note": "later", "more": {"a": [1, null]}}'`;
    const shown = await words({ invoice: { cost_breakdown: costs } });
    expect(shown).toContain('US$12,345,678,901,234,567,890.12');
    expect(shown).toContain('Third party US$0.20');
    expect(shown).toContain('Note later');
    expect(shown).toContain('{"a":[1,null]}');
    expect(shown).not.toContain('Costs US$');
  });

  test('are summed when all of them are numbers', async () => {
    const shown = await words({ invoice: { cost_breakdown: `'{"a": 0.1, "b": 0.2}'` } });
    expect(shown).toMatch(/Costs US\$0\.30/);
  });

  test.each([
    ['more than the maximum', '(select json_object_agg(n, n) from generate_series(1, 1001) n)'],
    ['nested too deeply', `repeat('{"a":', 5000) || '1' || repeat('}', 5000)`],
  ])('make the document fail when they are %s', async (_what, costs) => {
    const id = await enter({ invoice: { cost_breakdown: `(${costs})::jsonb` } });
    const refused = await client.as('alder-finance', `/invoices/${id}`);
    const { code } = (await refused.json()) as { readonly code: string };
    expect([refused.status, code]).toEqual([422, 'row-limit-exceeded']);
    expect((await client.as('alder-auditor', `/invoices/${id}`)).status).toBe(200);
  });

  test.each(['{}', '[]', 'null', '"x"', '17'])('of the form %s are not shown', async (costs) => {
    const shown = await words({ invoice: { cost_breakdown: `'${costs}'` } });
    expect(shown).not.toContain('what this cost us');
  });
});

test('user-defined text on an invoice is printed as text, also when it contains markup', async () => {
  const evil = `</td><script>alert(1)</script>&amp; "x" 'y' <img src=x onerror=alert(2)>`;
  const quoted = `'${evil.replaceAll("'", "''")}'`;
  const given = {
    invoice: {
      internal_notes: quoted,
      invoice_number: quoted,
      cost_breakdown: `json_build_object(${quoted}, 1)`,
    },
    lines: [`${quoted}, 1, 1, 0`],
  };
  const html = await page(await enter(given));
  expect(html).not.toMatch(/<script|<img/);
  expect(html.split('alert(1)').length - 1).toBeGreaterThanOrEqual(4);
});

test('names in any script are printed unchanged on an invoice', async () => {
  const lines = [
    "'שלום עולם', 1, 1, 0",
    "'مرحبا', 1, 1, 0",
    "'Привет', 1, 1, 0",
    "'naïve café', 1, 1, 0",
  ];
  const shown = await words({ lines });
  for (const word of ['שלום עולם', 'مرحبا', 'Привет', 'naïve café']) expect(shown).toContain(word);
});

describe('a printed invoice of 2,000 lines', () => {
  let id: string;
  beforeAll(async () => {
    id = await enter({ invoice: { total: '2401200' } });
    await client.world.sql(
      `insert into invoice_line (organization_id, invoice_id, position, description, quantity, unit_price, tax_rate)
       select '${alder}', '${id}', n, 'Line ' || n, 1, n, 20 from generate_series(1, 2000) n`,
    );
  });

  test('is complete in HTML', async () => {
    const shown = wordsOfPage(await page(id));
    const all = Array.from({ length: 2000 }, (_, index) => `Line ${index + 1}`);
    expect(shown.match(/Line \d+/g)).toEqual(all);
    expect(shown).toContain(
      'Subtotal US$2,001,000.00 Tax at 20% US$400,200.00 Total US$2,401,200.00',
    );
  });
});

test('an invoice with more rows than the limit is refused instead of printed in part', async () => {
  const id = await enter({});
  await client.world.sql(
    `insert into invoice_line (organization_id, invoice_id, position, description, quantity, unit_price, tax_rate)
     select '${alder}', '${id}', n, 'Line ' || n, 1, n, 20 from generate_series(1, 10001) n`,
  );
  const response = await client.as('alder-finance', `/invoices/${id}`);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: 'row-limit-exceeded' });
});

test('an invoice with almost no values is printed', async () => {
  const shown = await words({ invoice: { status: "'draft'" } }, 'alder-finance');
  expect(shown).toContain('Draft');
  expect(shown).toContain('Total US$0.00');
});
