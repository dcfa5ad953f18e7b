import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { since } from '../../support/since.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { column, installTenants, type Tenants, tenantRules } from './tenants.ts';

let tenants: Tenants;
let maker: Awaited<ReturnType<Tenants['addLogin']>>;
/** The comment by which Rowgate recognises its own roles. Every login may read the comment and so could copy it. */
let comment: string;
beforeEach(async () => {
  tenants = await installTenants();
  const { superuser, prefix } = tenants;
  maker = await tenants.addLogin('maker', []);
  await superuser.query(`alter role "${prefix}maker" createrole`);
  const sql = `select pg_catalog.shobj_description('"${prefix}member"'::pg_catalog.regrole, 'pg_authid')`;
  comment = String((await column(maker, sql))[0]);
});
afterEach(async () => {
  await tenants.superuser.query('reset role');
  await tenants.drop();
  await removeMetadata();
});

const later = {
  ...tenantRules,
  'roles.yaml': `${tenantRules['roles.yaml']}  auditor: {}\n`,
  'tables/org.yaml':
    "table: org\npermissions: { auditor: { select: { filter: {}, columns: '*' } } }\n",
};

// Before Postgres 16, a role with CREATEROLE may join any compiled role, so an attacker needs no planted role.
describe.runIf(since(16))(
  'a role that a login creates, with the comment of the roles that Rowgate creates,',
  () => {
    beforeEach(() =>
      maker.query(`create role "${tenants.prefix}auditor";
      comment on role "${tenants.prefix}auditor" is '${comment}'`),
    );

    test('makes apply fail when the metadata later adds a role of that name', async () => {
      const { prefix } = tenants;
      await maker.query(`grant "${prefix}auditor" to "${prefix}gateway_login" with inherit false;
      grant "${prefix}auditor" to "${prefix}maker"`);
      await tenants.rewrite(later);
      const { message } = await failureOf(tenants.apply());
      expect(message).toContain(
        `RG_FOREIGN_ROLE the Postgres role "${prefix}auditor" has other administrators, who may have created it (${prefix}maker)`,
      );
    });

    test('makes apply fail even if the owner of the tables also administers that role', async () => {
      const { prefix } = tenants;
      await maker.query(`grant "${prefix}auditor" to rowgate_owner with admin option`);
      await tenants.rewrite(later);
      expect((await failureOf(tenants.apply())).message).toContain('RG_FOREIGN_ROLE');
    });

    test('does not make apply fail while the metadata has no role of that name', async () => {
      expect(await tenants.pending()).toEqual([]);
      expect(await tenants.findings()).not.toContainEqual(
        expect.objectContaining({ severity: 'error' }),
      );
    });
  },
);

// Before Postgres 16, uninstall may drop this login, because CREATEROLE covers all roles.
test.runIf(since(16))(
  "uninstall succeeds and keeps a role that a login created with the comment of Rowgate's direct logins",
  async () => {
    const { owner, prefix } = tenants;
    await maker.query(`create role "${prefix}posing" login;
    comment on role "${prefix}posing" is '${comment.replace('rowgate:', 'rowgate-login:')}'`);
    const done = await uninstall(owner, { rolePrefix: prefix, login: undefined });
    expect(done).toMatchObject({ logins: [], loginsKept: [`${prefix}posing`] });
  },
);
