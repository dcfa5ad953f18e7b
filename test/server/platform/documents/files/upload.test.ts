import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formText, part } from './support/form-text.ts';
import {
  adminId,
  alder,
  birch,
  type FilesWorld,
  formOf,
  makeFilesWorld,
  ownerId,
} from './support/world.ts';

let world: FilesWorld;
beforeAll(async () => {
  world = await makeFilesWorld();
});
afterAll(() => world.end());

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
  'hex',
);
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Uploads one file and returns the entry for it in the answer. */
async function uploadOne(name: string, content: string | Buffer<ArrayBuffer>) {
  const { status, body } = await world.upload(formOf({ [name]: content }));
  expect(status).toBe(201);
  return body.files[0];
}

describe('an upload of files', () => {
  test('returns one result for each file, in the order of the form', async () => {
    const response = await world.upload(
      formOf({ 'notes.txt': 'hello', 'dot.png': png, 'empty.txt': '' }),
    );
    expect(response.status).toBe(201);
    const { files } = response.body;
    const url = expect.stringMatching(`^${world.server.url}/static/file-uploads/[0-9a-f]{48}`);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(files).toEqual([
      { id, url, name: 'notes.txt', size: 5, contentType: 'text/plain', sha256: sha256('hello') },
      { id, url, name: 'dot.png', size: png.length, contentType: 'image/png', sha256: sha256(png) },
      { id, url, name: 'empty.txt', size: 0, contentType: 'text/plain', sha256: sha256('') },
    ]);
  });

  test("stores the contents unchanged, readable only by the server's operating-system user", async () => {
    const { url } = await uploadOne('dot.png', png);
    const folder = path.join(world.server.config.dataDir, 'files');
    expect(await readFile(path.join(folder, path.basename(url)))).toEqual(png);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test('leaves nothing in the storage besides the stored files', async () => {
    const before = await world.storedNames();
    const { url } = await uploadOne('a.txt', 'a');
    const after = await world.storedNames();
    expect(after.filter((name) => !before.includes(name))).toEqual([path.basename(url)]);
  });

  test('by an admin belongs to that admin by default', async () => {
    const { id } = await uploadOne('a.txt', 'a');
    expect(
      await world.sql(
        `select organization_id, user_id, purpose, created_by from public.uploaded_file where id = '${id}'`,
      ),
    ).toEqual([
      { organization_id: alder, user_id: adminId, purpose: 'general', created_by: adminId },
    ]);
  });

  test('by an API key belongs to the person that the request names, and records no creator', async () => {
    const response = await world.upload(
      formOf({ 'a.txt': 'a' }, { ownerUserId: ownerId }),
      world.key,
    );
    const { files } = response.body;
    expect(
      await world.sql(
        `select user_id, created_by from public.uploaded_file where id = '${files[0].id}'`,
      ),
    ).toEqual([{ user_id: ownerId, created_by: null }]);
  });

  test("is accepted with an admin's cookie, but not from a page of another site", async () => {
    const exchange = await world.server.fetch('/auth/token-exchange', {
      method: 'POST',
      headers: world.admin,
    });
    const Cookie = exchange.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await world.upload(formOf({ 'a.txt': 'a' }), { Cookie })).status).toBe(201);
    const Origin = 'https://elsewhere.example';
    const refused = await world.upload(formOf({ 'a.txt': 'a' }), { Cookie, Origin });
    expect([refused.status, refused.body.code]).toEqual([403, 'cross-site']);
  });

  test('that is sent twice at the same time stores both files', async () => {
    const forms = ['first', 'second'].map((text) => formOf({ 'a.txt': text }));
    const answers = await Promise.all(forms.map((form) => world.upload(form)));
    expect(answers.map(({ body }) => body.files[0].sha256)).toEqual([
      sha256('first'),
      sha256('second'),
    ]);
  });

  test('treats an empty form field as a missing one', async () => {
    const fields = { caseId: '', organizationId: '' };
    expect((await world.upload(formOf({ 'a.txt': 'a' }, fields))).status).toBe(201);
  });

  test('ignores a file input in which no file was chosen', async () => {
    const parts = [part('files', 'a', 'a.txt'), part('files', '', '')];
    const { body } = await world.send(formText(...parts));
    expect(body.files).toMatchObject([{ name: 'a.txt' }]);
  });
});

describe('an uploaded file', () => {
  const caseOf = async (organization: string) =>
    (
      await world.sql(
        `select id from public."case" where organization_id = '${organization}' limit 1`,
      )
    )[0].id;
  const profileOf = async (organization: string) =>
    (
      await world.sql(
        `select id from public.kyc_profile where organization_id = '${organization}' limit 1`,
      )
    )[0].id;

  test('can belong to a case', async () => {
    const caseId = await caseOf(alder);
    const response = await world.upload(
      formOf({ 'a.txt': 'a' }, { purpose: 'case_document', caseId }),
    );
    const { files } = response.body;
    expect(
      await world.sql(`select d.case_id, d.organization_id, d.created_by, f.purpose from public.case_document d
        join public.uploaded_file f on f.id = d.uploaded_file_id where f.id = '${files[0].id}'`),
    ).toEqual([
      { case_id: caseId, organization_id: alder, created_by: adminId, purpose: 'case_document' },
    ]);
  });

  test('can belong to a KYC profile', async () => {
    const kycProfileId = await profileOf(birch);
    const fields = { purpose: 'kyc_document', kycProfileId, ownerUserId: 'local|birch-investor' };
    const { files } = (await world.upload(formOf({ 'a.txt': 'a' }, fields))).body;
    expect(
      await world.sql(`select d.kyc_profile_id, d.organization_id, d.status, f.user_id from public.kyc_document d
        join public.uploaded_file f on f.id = d.uploaded_file_id where f.id = '${files[0].id}'`),
    ).toEqual([
      {
        kyc_profile_id: kycProfileId,
        organization_id: birch,
        status: 'pending',
        user_id: 'local|birch-investor',
      },
    ]);
  });

  test.each([
    [
      'a person who does not exist',
      async () => ({ ownerUserId: 'nobody' }),
      'there is no user with this ownerUserId',
    ],
    [
      'a person of another organization',
      async () => ({ ownerUserId: ownerId, organizationId: birch }),
      'there is no user with this ownerUserId',
    ],
    [
      'a case of another organization',
      async () => ({ purpose: 'case_document', caseId: await caseOf(birch) }),
      'there is no case with this caseId in the organization of the owner',
    ],
    [
      'a KYC profile of another organization',
      async () => ({ purpose: 'kyc_document', kycProfileId: await profileOf(birch) }),
      'there is no KYC profile with this kycProfileId in the organization of the owner',
    ],
  ] as const)('is refused when it is to belong to %s', async (_title, fields, detail) => {
    const before = [await world.storedNames(), await world.recorded()];
    const response = await world.upload(formOf({ 'a.txt': 'a' }, await fields()));
    expect([response.status, response.body]).toMatchObject([404, { code: 'not-found', detail }]);
    expect([await world.storedNames(), await world.recorded()]).toEqual(before);
  });

  test("is refused for a person of another organization than the API key's", async () => {
    const key = await world.keyHeaders({ scopes: ['admin'], organizationId: birch });
    const statuses = await Promise.all(
      [
        { ownerUserId: 'local|birch-investor' },
        { ownerUserId: ownerId },
        { ownerUserId: ownerId, organizationId: alder },
      ].map(async (fields) => (await world.upload(formOf({ 'a.txt': 'a' }, fields), key)).status),
    );
    expect(statuses).toEqual([201, 404, 403]);
  });
});

describe('an upload is refused and stores nothing:', () => {
  const id = '00000000-0000-4000-8000-00000000abcd';
  const badFields: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['an unknown purpose', { purpose: 'fun' }],
    ['a case document without a case', { purpose: 'case_document' }],
    ['a case but no purpose', { caseId: id }],
    ['a KYC document without a profile', { purpose: 'kyc_document' }],
    [
      'a KYC profile although the purpose is a case document',
      { purpose: 'case_document', caseId: id, kycProfileId: id },
    ],
    ['an id that is not a UUID', { purpose: 'case_document', caseId: '1' }],
    ['an unknown field', { colour: 'red' }],
    ['a null character', { ownerUserId: 'a\0b' }],
    ['a field that is too long', { ownerUserId: 'x'.repeat(1025) }],
  ];
  test.each(badFields)('with %s', async (_title, fields) => {
    const before = [await world.storedNames(), await world.recorded()];
    const response = await world.upload(formOf({ 'a.txt': 'a' }, fields));
    expect([response.status, response.body.code]).toEqual([400, 'bad-request']);
    expect([await world.storedNames(), await world.recorded()]).toEqual(before);
  });

  test('by an API key that does not name the person to whom the file belongs', async () => {
    const response = await world.upload(formOf({ 'a.txt': 'a' }), world.key);
    expect([response.status, response.body.detail]).toEqual([
      400,
      'ownerUserId is missing; an API key cannot own files',
    ]);
  });

  test.each([
    ['without credentials', async () => ({}), 401, 'unauthenticated'],
    ['by a person who is not an admin', () => world.as(ownerId), 403, 'not-admin'],
    [
      'by an API key with other scopes',
      () => world.keyHeaders({ scopes: ['case:read', 'sdk:kyc'] }),
      403,
      'missing-scope',
    ],
  ] as const)('of %s', async (_title, headers, status, code) => {
    const before = [await world.storedNames(), await world.recorded()];
    const response = await world.upload(formOf({ 'a.txt': 'a' }), await headers());
    expect([response.status, response.body.code]).toEqual([status, code]);
    expect([await world.storedNames(), await world.recorded()]).toEqual(before);
  });
});
