import { afterEach, describe, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let made: Installation;

afterEach(async () => {
  await made.drop();
  await removeMetadata();
});

describe('a schema with the comment of views for logins', () => {
  const schema = `
create table doc (id integer, tenant integer) partition by list (tenant);
create schema part;
create table part.doc_1 partition of doc for values in (1);
comment on schema part is 'rowgate:views'`;
  const rules = {
    'roles.yaml': 'roles: { reader: {} }\n',
    'tables/doc.yaml':
      "table: doc\npermissions:\n  reader: { select: { filter: { tenant: { _eq: 2 } }, columns: '*' } }\n",
  };

  test.each([
    ['the owner of Rowgate', ''],
    ['another role', '; alter schema part owner to current_user'],
  ])('hides no partition when it belongs to %s', async (_owner, change) => {
    made = await makeInstallation({ schema, rules });
    const superuser = await made.database.connectSuperuser();
    await superuser.query(`grant usage on schema part to public;
      grant select on part.doc_1 to public${change}`);
    await made.apply();
    const { rows } = await superuser.query(
      `select relrowsecurity, has_table_privilege('${made.prefix}reader', oid, 'select') as open
       from pg_class where oid = 'part.doc_1'::regclass`,
    );
    expect(rows).toEqual([{ relrowsecurity: true, open: false }]);
  });

  test('hides no view when it belongs to another role', async () => {
    made = await makeInstallation({
      schema: `${schema}; create view part.seen as select * from doc`,
      rules,
    });
    const superuser = await made.database.connectSuperuser();
    await superuser.query('alter schema part owner to current_user');
    const { tables } = (await made.prepare()).loaded.catalog.data;
    expect(tables.map(({ name }) => name)).toContain('seen');
  });
});
