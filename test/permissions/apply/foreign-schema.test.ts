import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { column, ids, makeTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';

// Before Postgres 15, a new database gave public this owner and these privileges. Upgraded databases still have them.
const ofSuperuser = `
alter schema public owner to postgres;
revoke all on schema public from public, rowgate_owner;
grant usage on schema public to public;
grant usage, create on schema public to rowgate_owner`;

let tenants: Tenants;
beforeEach(async () => {
  tenants = await makeTenants();
  await tenants.superuser.query(ofSuperuser);
});
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

describe('a schema of another owner, in which the applier owns tables with rules,', () => {
  test('needs no grant to the compiled roles while PUBLIC has usage on the schema', async () => {
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
    const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
    expect(await column(ann, ids)).toEqual(['1', '2']);
  });

  test('makes apply fail when PUBLIC has no usage on the schema and the applier cannot grant it', async () => {
    await tenants.superuser.query('revoke usage on schema public from public');
    const { message } = await failureOf(tenants.apply());
    expect(message).toContain(
      'as a superuser, in this database:\n  grant usage on schema "public" to "rowgate_owner" with grant option;',
    );
  });

  test('is opened to the compiled roles when the applier holds usage with grant option', async () => {
    await tenants.superuser.query(
      'grant usage on schema public to rowgate_owner with grant option',
    );
    await tenants.apply();
    await tenants.superuser.query('revoke usage on schema public from public');
    expect(await tenants.pending()).toEqual([]);
    const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
    expect(await column(ann, ids)).toEqual(['1', '2']);
  });
});
