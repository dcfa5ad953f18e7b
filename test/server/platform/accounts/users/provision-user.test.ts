import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestServer } from '../../../../support/http.ts';
import { Browser } from '../support/browser.ts';
import type { LocalIssuer } from '../support/local-issuer.ts';
import { makeWorld, type World } from '../support/world.ts';

const alder = '00000000-0000-4000-8000-000000000001';

let world: World;
let issuer: LocalIssuer;
let server: TestServer;
let sql: World['sql'];
beforeAll(async () => {
  world = await makeWorld({}, { graphql: false });
  ({ issuer, server, sql } = world);
});
afterAll(() => world.end());

const person = (email: string) => ({ email, email_verified: true });

describe('a person who signs in for the first time', () => {
  test('gets a new organization and the role user', async () => {
    const claims = { ...person('nora@new.example'), name: 'Nora New' };
    const response = await new Browser(server).exchange(await issuer.tokenFor('idp|nora', claims));
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { user: { id: 'idp|nora', email: 'nora@new.example', roles: ['user'] } },
    ]);
    expect(
      await sql(
        `select u.full_name, o.name from public."user" u join public.organization o on o.id = u.organization_id where u.id = 'idp|nora'`,
      ),
    ).toEqual([{ full_name: 'Nora New', name: 'Nora New' }]);
  });

  test('is created once when several requests arrive at the same time', async () => {
    const token = await issuer.tokenFor('idp|twin', person('twin@new.example'));
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => new Browser(server).exchange(token)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(
      await sql(
        `select (select count(*)::int from public."user" where email = 'twin@new.example') as users,
           (select count(*)::int from public.organization where name = 'twin@new.example') as organizations`,
      ),
    ).toEqual([{ users: 1, organizations: 1 }]);
  });

  test('becomes the user whom an administrator entered with the same verified e-mail address', async () => {
    await sql(
      `insert into public."user" (organization_id, email) values ('${alder}', 'Guest@alder.example')`,
    );
    const token = await issuer.tokenFor('idp|guest', person('guest@alder.example'));
    const browser = new Browser(server);
    await browser.exchange(token);
    const response = await browser.fetch('/auth/session');
    expect(await response.json()).toMatchObject({
      user: { id: 'idp|guest', organizationId: alder, roles: ['user'] },
    });
  });

  test('does not become an entered user when the e-mail address is not verified', async () => {
    await sql(
      `insert into public."user" (organization_id, email) values ('${alder}', 'boss@alder.example')`,
    );
    const claims = { email: 'boss@alder.example', email_verified: false };
    const browser = new Browser(server);
    await browser.exchange(await issuer.tokenFor('idp|impostor', claims));
    const response = await browser.fetch('/auth/session');
    const { user } = (await response.json()) as { user: { organizationId: string } };
    expect(user.organizationId).not.toBe(alder);
  });

  test.each([
    ['a letter whose lower-case form is a plain k', 'mi\u212Ae@alice.example'],
    ['a domain that contains a similar letter', 'mike@al\u0130ce.example'],
  ])('does not become an entered user by an address with %s', async (_what, email) => {
    await sql(
      `insert into public."user" (organization_id, email) values ('${alder}', 'mike@alice.example') on conflict do nothing`,
    );
    await new Browser(server).exchange(await issuer.tokenFor(`idp|${email}`, person(email)));
    expect(
      await sql(`select u.id from public."user" u where u.email = 'mike@alice.example'`),
    ).toEqual([{ id: expect.stringMatching(/^local\|/) }]);
  });

  test.each([
    ['has a role', 'local|clerk', 'active', ['auditor']],
    ['has signed in before', 'idp|clerk', 'active', []],
    ['is disabled', 'local|leaver', 'disabled', []],
  ])(
    'does not become an entered user who %s, even by the verified address',
    async (_what, id, status, roles) => {
      const email = `${id.replace('|', '.')}@alder.example`;
      await sql(
        `insert into public."user" (id, organization_id, email, status) values ('${id}', '${alder}', '${email}', '${status}')`,
        ...roles.map((role) => `insert into public.user_role values ('${id}', '${role}')`),
      );
      const token = await issuer.tokenFor(`idp|other.${id}`, person(email));
      expect((await new Browser(server).exchange(token)).status).toBe(200);
      expect(
        await sql(
          `select u.id from public."user" u where u.email = '${email}' and u.organization_id = '${alder}'`,
        ),
      ).toEqual([{ id }]);
    },
  );

  test('cannot be moved to another organization later', async () => {
    const birch = '00000000-0000-4000-8000-000000000002';
    await expect(
      sql(`update public."user" set organization_id = '${birch}' where id = 'local|alder-member'`),
    ).rejects.toThrow('a user cannot move to another organization');
  });

  test('is refused without an e-mail address', async () => {
    const response = await new Browser(server).exchange(await issuer.tokenFor('idp|nameless'));
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { code: 'email-missing' },
    ]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('is refused when several entered users have the e-mail address', async () => {
    const birch = '00000000-0000-4000-8000-000000000002';
    await sql(
      `insert into public."user" (organization_id, email) values ('${alder}', 'both@x.example'), ('${birch}', 'both@x.example')`,
    );
    const token = await issuer.tokenFor('idp|both', person('both@x.example'));
    const response = await new Browser(server).exchange(token);
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { code: 'ambiguous-user' },
    ]);
  });
});
