import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

// A rental refers to all rates whose periods cover its own period, so it may refer to several rows.
const schema = `
create table rate (
  car int4range, valid int4range, price integer,
  constraint rate_key primary key (car, valid without overlaps)
);
create table rental (
  id integer primary key, car int4range not null, valid int4range not null,
  constraint rental_rates foreign key (car, period valid) references rate (car, period valid)
);
`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

const rental = (more = '') => ({
  'roles.yaml': 'roles: { member: {} }\n',
  'tables/rate.yaml': 'table: rate\n',
  'tables/rental.yaml': `table: rental\n${more}`,
});

test('a foreign key with a period gives no default relationship, because it refers to several rows', async () => {
  await made.rewrite(rental());
  const model = await made.model();
  expect([...model.tables.values()].flatMap((table) => [...table.relationships.keys()])).toEqual(
    [],
  );
  await made.rewrite(rental('relationships: { rates: { columns: [car, valid] } }\n'));
  await expect(made.prepare()).rejects.toThrow('RG_UNKNOWN_RELATIONSHIP');
});

test('references_visible refuses a foreign key with a period, because it refers to several rows', async () => {
  const rules = 'permissions: { member: { insert: { check: {}, columns: [id, car, valid] } } }\n';
  await made.rewrite({ ...rental(rules), 'rowgate.yaml': 'references_visible: true\n' });
  await expect(made.prepare()).rejects.toThrow(
    'foreign key "rental_rates" of public.rental refers to all rows that cover a period',
  );
});
