import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo } from '../../../../../server/platform/mail-links.ts';
import { type DocumentClient, ids, startDocumentClient, wordsOfPage } from './document-client.ts';

let client: DocumentClient;
beforeAll(async () => {
  client = await startDocumentClient();
});
afterAll(() => client.world.end());

test.each([
  ['/open/sign-in', 'the mail about your new account'],
  [`/open/invoices/${ids.invoice}`, 'This link opens an invoice.'],
  [`/open/receipts/${ids.receipt}`, 'This link opens the receipt for a payment.'],
])('the page %s says what the link is for, and asks to sign in', async (path, purpose) => {
  const response = await client.world.server.fetch(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('cache-control')).toBe('no-store');
  const words = wordsOfPage(await response.text());
  expect(words).toContain(purpose);
  expect(words).toContain('Please sign in first');
});

test('the page of a document that does not exist looks like that of one that exists', async () => {
  const missing = '30000000-0000-4000-8000-00000000ffff';
  const [one, other] = await Promise.all(
    [ids.invoice, missing].map((id) => client.world.server.fetch(`/open/invoices/${id}`)),
  );
  expect(await other?.text()).toBe(await one?.text());
});

test('the link of a mail redirects a person with a session to the document', async () => {
  const session = await client.as('alder-admin', '/auth/token-exchange', { method: 'POST' });
  const [cookie = ''] = session.headers.getSetCookie().map((one) => one.split(';')[0]);
  const response = await client.world.server.fetch(`/open/invoices/${ids.invoice}`, {
    headers: { Cookie: cookie },
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toMatch(new RegExp(`/invoices/${ids.invoice}$`));
});

test('links lead to the application when one is configured', () => {
  const app = { appUrl: 'https://app.example.com', baseUrl: 'https://api.example.com' };
  expect(linkTo('sign-in', app)).toBe('https://app.example.com');
  expect(linkTo('invoices/7', app)).toBe('https://app.example.com/invoices/7');
  const none = { ...app, appUrl: undefined };
  expect(linkTo('invoices/7', none)).toBe('https://api.example.com/open/invoices/7');
});
