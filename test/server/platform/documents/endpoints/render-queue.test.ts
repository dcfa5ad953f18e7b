import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { alder, type DocumentClient, startDocumentClient } from './document-client.ts';

const id = '30000000-0000-4000-8000-00000000bbbb';

let client: DocumentClient;
beforeAll(async () => {
  client = await startDocumentClient({
    ROWGATE_DOCUMENT_WORKERS: '1',
    ROWGATE_DOCUMENT_QUEUE: '1',
  });
  await client.world.sql(
    `insert into invoice (id, organization_id) values ('${id}', '${alder}')`,
    `insert into invoice_line (organization_id, invoice_id, position, description)
     select '${alder}', '${id}', n, 'Line ' || n from generate_series(1, 400) n`,
  );
});
afterAll(() => client.world.end());

test('PDF requests above the limit of the queue are answered 503, while HTML pages are still sent', async () => {
  const ask = (query: string) => client.as('alder-finance', `/invoices/${id}${query}`);
  const pending = Promise.all(Array.from({ length: 8 }, () => ask('?format=pdf')));
  expect((await ask('')).status).toBe(200);
  const responses = await pending;
  const refused = responses.filter(({ status }) => status === 503);
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
  expect(refused.length).toBeGreaterThanOrEqual(1);
  for (const response of refused) {
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('last-modified')).toBeNull();
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({ code: 'too-many-documents' });
  }
  expect((await ask('?format=pdf')).status).toBe(200);
});

test('a document with too much text for a PDF is refused at once, and its HTML page contains all of it', async () => {
  const describeBy = (text: string) =>
    client.world.sql(`update invoice_line set description = ${text} where invoice_id = '${id}'`);
  await describeBy("repeat('many words ', 1000)");
  onTestFinished(async () => void (await describeBy("'Line ' || position")));
  const pdf = await client.as('alder-finance', `/invoices/${id}?format=pdf`);
  expect([pdf.status, await pdf.json()]).toMatchObject([422, { code: 'document-too-large' }]);
  expect(pdf.headers.get('etag')).toBeNull();
  expect((await client.as('alder-finance', `/invoices/${id}`)).status).toBe(200);
});
