import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  printCaseAgreement,
  printCaseReport,
} from '../../../../../server/platform/documents/print/case.ts';
import { printFundAgreement } from '../../../../../server/platform/documents/print/fund-agreement.ts';
import { printCatalog } from '../../../../../server/platform/documents/print/product-catalog.ts';
import { printQuote } from '../../../../../server/platform/documents/print/quote.ts';
import { printReceipt } from '../../../../../server/platform/documents/print/receipt.ts';
import { linesOf, type Printing, startPrinting } from './printing.ts';

const alder = { organization_id: '00000000-0000-4000-8000-000000000001' };
const receipt = { id: '72000000-0000-4000-8000-000000000101' };
const onboarding = { id: 'a0000000-0000-4000-8000-000000000101', organizationId: undefined };
const complaint = { id: 'a0000000-0000-4000-8000-000000000102', organizationId: undefined };

let printing: Printing;
beforeAll(async () => {
  printing = await startPrinting();
});
afterAll(() => printing.end());

describe('a printed receipt', () => {
  test('shows the payment that it confirms', async () => {
    expect(
      linesOf(await printing.print(printReceipt, receipt, 'organization_admin', alder)),
    ).toEqual([
      'Receipt REC-2025-000101',
      '(Issued, good)',
      'Received from | Alder Capital | 8 Avenue des Tilleuls | L-1420 Luxembourg | Tax number LU 12345678',
      'Receipt number: REC-2025-000101',
      'Issued: 20 March 2025 at 11:10 UTC',
      'Sent to: admin@alder.example',
      'Sent: 20 March 2025 at 11:11 UTC',
      '[Payment]',
      'For invoice | Received | Method | Reference | Amount',
      'INV-2025-000101 | 20 March 2025 at 11:00 UTC | Bank transfer | BANK-A-1 | US$1,200.00',
      '= Received | US$1,200.00',
    ]);
  });

  test('does not show an auditor to whom it was sent', async () => {
    const lines = linesOf(await printing.print(printReceipt, receipt, 'auditor'));
    expect(lines).toContain('Sent: 20 March 2025 at 11:11 UTC');
    expect(lines.join()).not.toContain('@');
  });

  test('of a refunded payment is marked as void', async () => {
    const id = '72000000-0000-4000-8000-000000000403';
    const lines = linesOf(await printing.print(printReceipt, { id }, 'accounting'));
    expect(lines).toContain('(Void, bad)');
    expect(lines.at(-1)).toBe('= Refunded | £360.00');
  });
});

describe('a printed quote', () => {
  test.each([
    [
      'sell',
      '0103',
      'Sell BTC | 0.25 BTC | US$101,250.75 | US$25,312.69',
      'US$25.31',
      'To receive | US$25,287.38',
    ],
    [
      'buy',
      '0101',
      'Buy BTC | 1.5 BTC | US$100,000.00 | US$150,000.00',
      'US$150.00',
      'To pay | US$150,150.00',
    ],
  ])('to %s shows the result of the trade', async (_side, number, line, fee, total) => {
    const id = `60000000-0000-4000-8000-00000000${number}`;
    const lines = linesOf(await printing.print(printQuote, { id }, 'organization_admin', alder));
    expect(lines.slice(-3)).toEqual([line, `= Fee | ${fee}`, `= ${total}`]);
  });

  test('shows when it expires and its wallet', async () => {
    const id = '60000000-0000-4000-8000-000000000103';
    expect(linesOf(await printing.print(printQuote, { id }, 'organization_admin', alder))).toEqual(
      expect.arrayContaining([
        'Holds until: 1 January 2099 at 00:00 UTC',
        'Wallet: Alder treasury',
        '(Quoted, neutral)',
      ]),
    );
  });

  test('shows all digits of the price, and rounds only the value', async () => {
    const id = '60000000-0000-4000-8000-000000000202';
    await printing.sql(
      `update otc_quote set quantity = 1.000000000000000001, price = 0.000000123456789012 where id = '${id}'`,
    );
    const lines = linesOf(await printing.print(printQuote, { id }, 'front_office'));
    expect(lines).toContain(
      'Buy ETH | 1.000000000000000001 ETH | US$0.000000123456789012 | US$0.00',
    );
  });
});

describe('the printed product catalog', () => {
  afterEach(() => printing.sql("update product set active = code <> 'FAX-STMT'"));

  test('lists the products on sale by kind', async () => {
    const lines = linesOf(await printing.print(printCatalog, {}, 'user', { user_id: 'local|x' }));
    expect(lines.filter((line) => line.startsWith('['))).toEqual([
      ...['[Cards]', '[Compliance]', '[Custody]', '[Funds]', '[Service]', '[Trading]'],
    ]);
    expect(lines).toContain(
      'Cold storage | CUSTODY-COLD | Keys that never touch a network | Month | US$1,800.00',
    );
    expect(lines.join()).not.toContain('fax');
  });

  test('does not list a product once it is discontinued', async () => {
    const print = () => printing.print(printCatalog, {}, 'user', { user_id: 'local|x' });
    const before = (await print())?.lastModified ?? new Date();
    await printing.sql("update product set active = false where code = 'KYC-CHECK'");
    const after = await print();
    expect(linesOf(after).join()).not.toContain('KYC-CHECK');
    expect(after?.lastModified?.getTime()).toBeGreaterThan(before.getTime());
  });

  test('has a sentence instead of a table when nothing is on sale', async () => {
    await printing.sql('update product set active = false');
    const lines = linesOf(await printing.print(printCatalog, {}, 'user', { user_id: 'local|x' }));
    expect(lines).toEqual(['Product catalog', 'Nothing is on sale at the moment.']);
  });
});

describe('the printed report of a case', () => {
  test('shows its resolution', async () => {
    expect(linesOf(await printing.print(printCaseReport, complaint, 'compliance'))).toEqual([
      'Case report CASE-2025-000102',
      '(Open, neutral)',
      'Organization | Alder Capital | 8 Avenue des Tilleuls | L-1420 Luxembourg | Tax number LU 12345678',
      'Person | Ben Alder | member@alder.example',
      'About: A fee that was charged twice',
      'Kind: Complaint',
      'Priority: High',
      'Worked on by: Cem Cedar',
      'Opened: 22 May 2025',
      'Due: 20 June 2025',
      '## Summary',
      'A network fee appears twice on the statement of April.',
      '[Documents]',
      'Document | Kind | Added',
      'The complaint | Correspondence | 22 May 2025',
    ]);
  });

  test('does not name people of other organizations to a reader from one organization', async () => {
    const workersFor = async (case_: typeof complaint, organizationId: string | undefined) =>
      linesOf(
        await printing.print(printCaseReport, { ...case_, organizationId }, 'compliance'),
      ).filter((line) => line.startsWith('Worked on by'));
    expect(await workersFor(complaint, alder.organization_id)).toEqual([]);
    expect(await workersFor(onboarding, alder.organization_id)).toEqual([
      'Worked on by: Pia Alder',
    ]);
  });

  test('does not show internal notes to the organization of the case', async () => {
    const lines = linesOf(
      await printing.print(printCaseReport, complaint, 'organization_admin', alder),
    );
    expect(lines).toContain('About: A fee that was charged twice');
    for (const hidden of ['Summary', 'Worked on by', 'Documents', 'network fee'])
      expect(lines.join('\n')).not.toContain(hidden);
  });
});

describe('the printed agreement of a case', () => {
  test('has signature lines for its parties', async () => {
    expect(linesOf(await printing.print(printCaseAgreement, onboarding, 'compliance'))).toEqual([
      'Agreement CASE-2025-000101',
      'Between | Alder Capital | 8 Avenue des Tilleuls | L-1420 Luxembourg | Tax number LU 12345678',
      'And | Printers | 1 Type Street',
      'Case: CASE-2025-000101',
      'About: Opening of the account',
      '## What is agreed',
      'The organization entrusts the platform with the safekeeping of its coins.',
      "Either side may end this with a month's notice.",
      '____ Alder Capital',
      '____ Printers',
    ]);
  });

  test.each([
    ['the case has none', complaint, 'compliance'],
    ['the role may not see it', onboarding, 'front_office'],
  ])('does not exist when %s', async (_why, subject, role) => {
    expect(await printing.print(printCaseAgreement, subject, role)).toBeUndefined();
  });
});

describe('the printed user agreement of a fund', () => {
  const subject = (fund: number) => ({
    id: `40000000-0000-4000-8000-00000000000${fund}`,
    userId: 'local|dogwood-investor',
    email: 'investor@dogwood.example',
  });
  const gil = {
    user_id: 'local|dogwood-investor',
    allowed_funds: '{40000000-0000-4000-8000-000000000005,40000000-0000-4000-8000-000000000006}',
  };

  test('contains the fund, its terms and the person', async () => {
    expect(linesOf(await printing.print(printFundAgreement, subject(5), 'investor', gil))).toEqual([
      'User agreement of Dogwood Credit',
      'Investor | Gil Dogwood | investor@dogwood.example',
      'Fund: Dogwood Credit',
      'Invests in: Loans to mid-sized companies',
      'Currency: GBP',
      'Status: Open',
      '## Terms',
      "Units may be redeemed at the end of a quarter with thirty days' notice.",
      'The value of units can fall as well as rise.',
      '____ Gil Dogwood',
      '____ For Dogwood Credit',
    ]);
  });

  test('has no signature lines when the fund has no terms', async () => {
    const lines = linesOf(await printing.print(printFundAgreement, subject(6), 'investor', gil));
    expect(lines.at(-1)).toContain('There is nothing to sign.');
    expect(lines.join()).not.toContain('____');
  });

  test.each([
    ['a person without access to the fund', 1, 'investor', gil],
    [
      'a role that may not see the terms',
      5,
      'fund_signatory',
      { allowed_funds: gil.allowed_funds },
    ],
  ])('is hidden from %s', async (_what, fund, role, variables) => {
    expect(
      await printing.print(printFundAgreement, subject(fund), role, variables),
    ).toBeUndefined();
  });
});

test('printed documents are in English, while the configured locale decides the format of numbers', async () => {
  const german = await startPrinting('de-DE');
  const printed = await german.print(printReceipt, receipt, 'accounting');
  expect(printed?.document.language).toBe('en');
  expect(linesOf(printed).at(-1)).toMatch(/^= Received \| 1\.200,00\s\$$/);
  await german.end();
});
