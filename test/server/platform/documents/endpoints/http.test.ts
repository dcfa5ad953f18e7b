import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlSecurityPolicy } from '../../../../../server/rendering/html/render-html.ts';
import { type DocumentClient, ids, startDocumentClient } from './document-client.ts';

// HTTP times have whole seconds, so the milliseconds are cut off for the comparison.
const begun = Math.floor(Date.now() / 1000) * 1000;
let client: DocumentClient;
beforeAll(async () => {
  client = await startDocumentClient();
});
afterAll(() => client.world.end());

const invoice = `/invoices/${ids.invoice}`;
const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  client.as('alder-finance', path, { headers, method });

describe('the format of a document', () => {
  test.each([
    [invoice, 'text/html; charset=utf-8', 'invoice-INV-2025-000101.html'],
    [`${invoice}?format=html`, 'text/html; charset=utf-8', 'invoice-INV-2025-000101.html'],
    [`${invoice}?format=pdf`, 'application/pdf', 'invoice-INV-2025-000101.pdf'],
    [`/receipts/${ids.receipt}?format=pdf`, 'application/pdf', 'receipt-REC-2025-000101.pdf'],
    [`/quotes/${ids.quote}?format=pdf`, 'application/pdf', `quote-${ids.quote}.pdf`],
    ['/product-catalog', 'application/pdf', 'product-catalog.pdf'],
    ['/product-catalog?format=pdf', 'application/pdf', 'product-catalog.pdf'],
  ])('is, for a request with %s, %s', async (path, type, name) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-disposition')).toBe(`inline; filename="${name}"`);
    const start = Buffer.from(await response.arrayBuffer())
      .subarray(0, 5)
      .toString('latin1');
    expect(start).toBe(type === 'application/pdf' ? '%PDF-' : '<!doc');
  });

  test.each([
    `${invoice}?format=xml`,
    `${invoice}?format=`,
    `${invoice}?format=PDF`,
    `${invoice}?format=html&format=pdf`,
    '/product-catalog?format=html',
  ])('that the document does not have is refused: %s', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'bad-request' });
  });

  test('may be HTML or PDF for a user agreement', async () => {
    const path = `/funds/${ids.fund}/user-agreement`;
    const types = await Promise.all(
      ['', '?format=pdf'].map(async (query) => {
        const response = await client.as('alder-investor', path + query);
        return response.headers.get('content-type');
      }),
    );
    expect(types).toEqual(['text/html; charset=utf-8', 'application/pdf']);
  });
});

describe('the answer with a document', () => {
  test('may be cached only by the client itself', async () => {
    const { headers } = await ask(invoice);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Cookie, Authorization, X-Gql-Role');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-language')).toBe('en-GB');
  });

  test('as HTML has a policy that allows only the styles of the page', async () => {
    expect((await ask(invoice)).headers.get('content-security-policy')).toBe(htmlSecurityPolicy);
    const document = await ask(`${invoice}?format=pdf`);
    expect(document.headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
  });

  test('to HEAD has the headers of GET and no body', async () => {
    for (const path of [invoice, `${invoice}?format=pdf`]) {
      const [full, head] = [await ask(path), await ask(path, {}, 'HEAD')];
      expect(head.status).toBe(200);
      expect((await head.arrayBuffer()).byteLength).toBe(0);
      for (const name of ['etag', 'content-type', 'content-disposition', 'vary'])
        expect(head.headers.get(name)).toBe(full.headers.get(name));
    }
  });

  test('to another method is 405 with the allowed methods', async () => {
    const response = await ask(invoice, {}, 'POST');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe.each([invoice, `${invoice}?format=pdf`, '/product-catalog'])(
  'a repeated request for %s',
  (path) => {
    test.each(['as it is', 'weak', 'among others', 'whatever'])(
      'is answered 304 when its ETag is current (%s)',
      async (how) => {
        const sent = await ask(path);
        const tag = sent.headers.get('etag') ?? '';
        const given = {
          'as it is': tag,
          weak: `W/${tag}`,
          'among others': `"a", ${tag}`,
          whatever: '*',
        }[how];
        const response = await ask(path, { 'If-None-Match': given ?? '' });
        expect(response.status).toBe(304);
        expect(response.headers.get('etag')).toBe(tag);
        expect(response.headers.get('cache-control')).toBe('private, no-cache');
        // A browser applies the policy of a 304 answer to the page in its cache, so the 304 must contain the policy
        // too.
        const policy = 'content-security-policy';
        expect(response.headers.get(policy)).toBe(sent.headers.get(policy));
        expect(await response.text()).toBe('');
      },
    );

    test('is answered 304 when its date is current', async () => {
      const time = (await ask(path)).headers.get('last-modified') ?? '';
      expect((await ask(path, { 'If-Modified-Since': time })).status).toBe(304);
      const before = new Date(Date.parse(time) - 1000).toUTCString();
      expect((await ask(path, { 'If-Modified-Since': before })).status).toBe(200);
    });

    test('is answered with the document when the ETag differs, although the date is current', async () => {
      const time = (await ask(path)).headers.get('last-modified') ?? '';
      const given = { 'If-None-Match': '"other"', 'If-Modified-Since': time };
      expect((await ask(path, given)).status).toBe(200);
    });

    test.each(['', 'yesterday', '"'])(
      'is answered with the document when the date is invalid: %j',
      async (time) => {
        expect((await ask(path, { 'If-Modified-Since': time })).status).toBe(200);
      },
    );
  },
);

describe('the ETag of a document', () => {
  const tagOf = async (who: string, path: string, headers = {}) =>
    (await client.as(who, path, { headers })).headers.get('etag');

  test('differs between formats and between roles that see different contents', async () => {
    const tags = [
      await tagOf('dogwood-finance', invoice),
      await tagOf('dogwood-finance', `${invoice}?format=pdf`),
      await tagOf('dogwood-finance', invoice, { 'X-Gql-Role': 'auditor' }),
      await tagOf('alder-admin', invoice),
    ];
    expect(new Set(tags).size).toBe(4);
  });

  test('is the same for all people who see the same contents', async () => {
    expect(await tagOf('alder-finance', invoice)).toBe(await tagOf('dogwood-finance', invoice));
  });

  test('changes when the contents change', async () => {
    const path = '/invoices/30000000-0000-4000-8000-000000000102';
    const before = await tagOf('alder-admin', path);
    await client.world.sql(`update invoice set status = 'void' where id = '${path.slice(10)}'`);
    const response = await client.as('alder-admin', path, {
      headers: { 'If-None-Match': before ?? '' },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Void');
  });
});

test('Last-Modified is sent only to roles that may see when each part of the document changed', async () => {
  const timeFor = async (who: string, path: string) =>
    (await client.as(who, path)).headers.has('last-modified');
  expect(await timeFor('alder-finance', invoice)).toBe(true);
  expect(await timeFor('alder-admin', invoice)).toBe(false);
  // Lines of a draft can be deleted without changing the invoice, so the time of its last change is
  // unknown.
  expect(await timeFor('alder-finance', '/invoices/30000000-0000-4000-8000-000000000103')).toBe(
    false,
  );
});

test('Last-Modified is not sent while rows of the document can be deleted without changing its time', async () => {
  const path = '/invoices/30000000-0000-4000-8000-000000000401';
  const headersOf = async () => (await ask(path)).headers;
  expect((await headersOf()).has('last-modified')).toBe(true);
  await client.world.sql(
    'alter table invoice disable trigger user',
    `update invoice set updated_at = now() + interval '1 hour' where id = '${path.slice(10)}'`,
    'alter table invoice enable trigger user',
  );
  expect((await headersOf()).has('last-modified')).toBe(false);
  expect((await headersOf()).has('etag')).toBe(true);
});

test('Last-Modified is not earlier than the last change of the rules, because new rules may change the contents', async () => {
  const time = (await ask(invoice)).headers.get('last-modified') ?? '';
  expect(Date.parse(time)).toBeGreaterThanOrEqual(begun);
  const older = new Date(begun - 1000).toUTCString();
  expect((await ask(invoice, { 'If-Modified-Since': older })).status).toBe(200);
});

describe('the id in the address of a document', () => {
  test.each([
    'x',
    '0',
    '-1',
    'null',
    `${ids.invoice}'--`,
    `${ids.invoice}%00`,
    '%00',
    '%27%20or%20true%20--',
    '..%2f..%2fetc%2fpasswd',
    `{${ids.invoice}}`,
    ids.invoice.replaceAll('-', ''),
    ` ${ids.invoice}`.replace(' ', '%20'),
    'a'.repeat(5000),
    '%F0%9F%92%A9',
  ])('answers 404 when it is not the id of a document: %s', async (id) => {
    for (const path of [
      `/invoices/${id}`,
      `/quotes/${id}?format=pdf`,
      `/funds/${id}/user-agreement`,
    ]) {
      const response = await ask(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        code: 'not-found',
        detail: 'the document does not exist, or you may not see it',
      });
    }
  });

  test('may be in upper case', async () => {
    const id = 'a0000000-0000-4000-8000-0000000000ff';
    await client.world.sql(
      `insert into invoice (id, organization_id) values ('${id}', '00000000-0000-4000-8000-000000000001')`,
    );
    expect((await ask(`/invoices/${id.toUpperCase()}`)).status).toBe(200);
  });

  test('that is not valid UTF-8 is refused with 400', async () => {
    expect((await ask('/invoices/%E0%A4%A')).status).toBe(400);
  });
});

test('the query for a document is cancelled when its client disconnects', async () => {
  const owner = await client.world.database.connectOwner();
  const waiting = async () =>
    (await owner.query(`select from pg_locks where relation = 'invoice'::regclass and not granted`))
      .rowCount;
  await owner.query('begin; lock table invoice in access exclusive mode');
  const cancel = new AbortController();
  const lost = client.as('alder-finance', invoice, { signal: cancel.signal });
  const outcome = expect(lost).rejects.toThrow('aborted');
  await expect.poll(waiting).toBe(1);
  cancel.abort();
  await outcome;
  await expect.poll(waiting).toBe(0);
  await owner.query('rollback');
  expect((await ask(invoice)).status).toBe(200);
});

test('the number of an invoice cannot break the header with the file name, whatever it contains', async () => {
  const id = '30000000-0000-4000-8000-00000000aaaa';
  const number = String.raw`A"; filename=evil.exe\r\n../Ü ; ‮`;
  await client.world.sql(
    `insert into invoice (id, organization_id, invoice_number)
     values ('${id}', '00000000-0000-4000-8000-000000000001', '${number}')`,
  );
  const response = await ask(`/invoices/${id}`);
  expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="[\w.-]+\.html"$/);
});
