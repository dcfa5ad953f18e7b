import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAsTheyDid } from '../../../../support/golden-pages.ts';
import { checkPdf, lacksPdfTools, textOf } from '../../../../support/pdf-tools.ts';
import { storeKey } from '../../accounts/api-keys/stored-key.ts';
import { type DocumentClient, ids, startDocumentClient, wordsOfPage } from './document-client.ts';

let client: DocumentClient;
let key: string;
beforeAll(async () => {
  client = await startDocumentClient({
    ROWGATE_BRAND_NAME: 'Northlight Custody',
    ROWGATE_BRAND_COLOUR: '#5b2a86',
    ROWGATE_BRAND_ADDRESS: '1 Harbour Street|L-1234 Luxembourg',
  });
  const owner = await client.world.database.connectOwner();
  key = (await storeKey(owner, { scopes: ['case:read'], role: 'compliance' })).text;
});
afterAll(() => client.world.end());

/** The documents by name, each with a person who may read it, the role and the path. */
const personal = {
  invoice: ['alder-finance', 'accounting', `/invoices/${ids.invoice}`],
  'client-invoice': ['alder-admin', 'organization_admin', `/invoices/${ids.invoice}`],
  receipt: ['alder-admin', 'organization_admin', `/receipts/${ids.receipt}`],
  quote: ['alder-admin', 'organization_admin', `/quotes/${ids.quote}`],
  'fund-agreement': ['alder-investor', 'investor', `/funds/${ids.fund}/user-agreement`],
} as const;
const names = Object.keys(personal) as (keyof typeof personal)[];

async function print(name: keyof typeof personal, format: string): Promise<Response> {
  const [who, role, path] = personal[name];
  const response = await client.as(who, `${path}?format=${format}`, {
    headers: { 'X-Gql-Role': role },
  });
  expect(response.status).toBe(200);
  return response;
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** Returns the distinct words of a text in alphabetical order, without page numbers. */
function wordsOf(text: string): readonly string[] {
  const words = text.replaceAll(/Page \d+ of \d+/g, '').split(/\s+/);
  return [...new Set(words.filter((word) => word !== ''))].sort();
}

describe.skipIf(lacksPdfTools())('documents of the demo data:', () => {
  test.each(names)('the PDF of %s contains the same words as the HTML page', async (name) => {
    const page = await (await print(name, 'html')).text();
    const pdf = await bytesOf(await print(name, 'pdf'));
    await checkPdf(pdf);
    expect(wordsOf((await textOf(pdf)).join('\n'))).toEqual(wordsOf(wordsOfPage(page)));
  });

  test.each(names)('the PDF of %s matches its golden picture', async (name) => {
    const pdf = await bytesOf(await print(name, 'pdf'));
    expect(await lookAsTheyDid(name, pdf)).toEqual([true]);
  });

  test('the PDF of the product catalog matches its golden picture', async () => {
    const response = await client.as('alder-admin', '/product-catalog');
    expect(await lookAsTheyDid('catalog', await bytesOf(response))).toEqual([true]);
  });

  test.each(['report', 'agreement'])(
    'the PDF of the %s of a case matches its golden picture',
    async (kind) => {
      const response = await client.withKey(key, `/pdf/case/${ids.case}/${kind}`);
      expect(await lookAsTheyDid(`case-${kind}`, await bytesOf(response))).toEqual([true]);
    },
  );
});
