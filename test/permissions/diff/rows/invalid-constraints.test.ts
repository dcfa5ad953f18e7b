import { afterAll, describe, expect, test } from 'vitest';
import { compareRules } from '../../../../permissions/diff/rows/compare-rules.ts';
import { resolveModel } from '../../../../permissions/model/load-model.ts';
import { since } from '../../../support/since.ts';
import { makeInstallation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';

afterAll(removeMetadata);

const schema = `
create table public.owner (id int4 primary key);
insert into public.owner values (1);
create table public.item (id int4 primary key, price int4, owner_id int4 not null);
insert into public.item values (1, null, 7);
alter table public.item add constraint priced not null price not valid;
alter table public.item add foreign key (owner_id) references public.owner not valid;`;

const rules = {
  'roles.yaml': 'roles: { all: {}, priced: {}, owned: {} }\n',
  'tables/owner.yaml': 'table: owner\n',
  'tables/item.yaml': `
table: item
permissions:
  all: { select: { columns: [id], filter: {} } }
  priced: { select: { columns: [id], filter: { price: { _is_null: false } } } }
  owned: { select: { columns: [id], filter: { owner: {} } } }
`,
};

// Postgres 18 added not-null constraints that existing rows may violate.
describe.skipIf(!since(18))('a constraint that is not valid', () => {
  test('proves nothing about rows', async () => {
    const { owner, metadata, prefix, drop } = await makeInstallation({ schema, rules });
    const naming = { metadata, headerPrefix: 'X-Gql-', rolePrefix: prefix };
    const { model } = await resolveModel({ ...naming, client: owner });
    const ruleOf = (role: string) => {
      const table = 'public.item';
      return { table, expression: model.roles.get(role)?.tables.get(table)?.select?.filter };
    };
    const models = { before: model, after: model };
    expect(compareRules(ruleOf('priced'), ruleOf('all'), models).verdict).toBe('wider');
    expect(compareRules(ruleOf('owned'), ruleOf('all'), models).verdict).toBe('wider');
    await drop();
  });
});
