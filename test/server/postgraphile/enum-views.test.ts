import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../graphql/support/gateway.ts';

const schema = `
create table color (code text primary key);
insert into color values ('red');
create view color_code as select code from color;
create materialized view color_copy as select code from color;`;

let gateway: Gateway;
beforeAll(async () => {
  const metadata = {
    'roles.yaml': 'roles: {}\n',
    'tables/color.yaml': 'table: color\n',
    'tables/color_copy.yaml': 'table: color_copy\n',
    'graphile.yaml': '{}\n',
  };
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

test.each([
  ['view', 'color_code'],
  ['materialized view', 'color_copy'],
])(
  'loading the metadata refuses a %s with the smart tag @enum, and the error names it and gives a hint',
  async (kind, name) => {
    const owner = await gateway.database.connectOwner();
    await owner.query(`comment on ${kind} ${name} is E'@primaryKey code\\n@enum'`);
    const reason = gateway.reload();
    await expect(reason).rejects.toThrow(
      `RG_GRAPHILE the smart tag @enum stands on "public.${name}", a view`,
    );
    await expect(reason).rejects.toThrow('tag the tracked table that holds the values');
    await owner.query(`comment on ${kind} ${name} is null`);
  },
);

test('loading the metadata accepts a tracked table with the smart tag @enum', async () => {
  const owner = await gateway.database.connectOwner();
  await owner.query("comment on table color is '@enum'");
  await expect(gateway.reload()).resolves.toBeUndefined();
});
