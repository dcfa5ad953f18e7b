import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { shopRules, shopSchema } from './schema.ts';

let made: Installation;
let catalog: string;
beforeAll(async () => {
  made = await makeInstallation({ schema: shopSchema, rules: shopRules });
  catalog = path.join(made.metadata, 'catalog.json');
  await runCommand(['catalog', '--out', catalog], { DATABASE_URL: made.database.ownerUrl });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

const run = (...args: readonly string[]) =>
  runCommand(['matrix', '--catalog', catalog, '--metadata', made.metadata, ...args]);

describe('rowgate matrix', () => {
  test('shows a grid in which small letters mean some rows or columns, and ^ means inherited', async () => {
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      '1   owner',
      '2   clerk',
      '3   buyer',
      '4   both, inherits from clerk, buyer',
      '5   idle',
      'S select, I insert, U update, D delete; a small letter: some rows or columns only; ^ inherited; - nothing',
      '',
      '              1      2      3      4      5',
      'public.item   Siud   s---   s---   s---^  -',
      'od,d.=x|<b>   si--   -      -      -      -',
      'public.shop   -      -      -      -      -',
      'public.staff  -      -      -      -      -',
      '',
    ]);
  });

  test('shows the same from the database as from the catalog file', async () => {
    const online = await runCommand(['matrix', '--metadata', made.metadata], {
      DATABASE_URL: made.database.ownerUrl,
    });
    expect(online.stdout).toBe((await run()).stdout);
  });

  test('shows the rules of a role in words', async () => {
    const { stdout } = await run('--role', 'owner', '--table', 'item');
    expect(stdout.split('\n')).toEqual([
      'public.item',
      '  owner',
      '    select: all rows; columns id, shop_id, other_shop_id, name, price, state, tags, data, sold_at; with aggregations; at most 50 rows',
      "    insert: rows where price is above 0; columns id, name, price, tags, data; sets shop_id = the caller's X-Gql-Shop-Id; backend only",
      '    update: rows where sold_at is null; afterwards price is at least 1; columns price',
      "    delete: rows where state is 'draft'",
      '',
    ]);
  });

  test('marks what a role inherits from which parent', async () => {
    const { stdout } = await run('--role', 'both');
    const clerks = "rows where shop_id is the caller's X-Gql-Shop-Id";
    const buyers = "rows where state is 'open'";
    expect(stdout).toContain(
      `select: rows where shop_id is the caller's X-Gql-Shop-Id or state is 'open'; columns id, name, price (in ${clerks}; from clerk), state (in ${buyers}; from buyer); inherited from clerk, buyer`,
    );
  });

  test('answers who may use a column', async () => {
    const { stdout } = await run('--column', 'item.price');
    expect(stdout.split('\n')).toEqual([
      'public.item.price',
      '  owner may see it: all rows',
      '  owner may insert it: rows where price is above 0',
      '  owner may change it: rows where sold_at is null',
      "  clerk may see it: rows where shop_id is the caller's X-Gql-Shop-Id",
      "  both may see it: rows where shop_id is the caller's X-Gql-Shop-Id (inherited from clerk)",
      '  not used by buyer, idle',
      '',
    ]);
  });

  test('prints CSV in which no field is a formula, and a record per rule', async () => {
    const { stdout } = await run('--csv', '--table', 'od,d.=x|<b>');
    expect(stdout.replaceAll('\r\n', '\n').trim().split('\n')).toEqual([
      'table,role,operation,rows,check,columns,columns in some rows,presets,aggregations,limit,backend only,inherited from,file,line',
      `"od,d.=x|<b>",owner,select,"rows where a,""b is '=1+1'",,"id a,""b =f",,,,,,,${made.metadata}/tables/odd.yaml,3`,
      `"od,d.=x|<b>",owner,insert,all rows,,id,,'=f = 1,,,,,${made.metadata}/tables/odd.yaml,3`,
    ]);
  });

  test('prints Markdown in which names are text', async () => {
    const { stdout } = await run('--markdown', '--table', 'od,d.=x|<b>');
    expect(stdout).toContain('## od,d.=x\\|&lt;b&gt;');
    expect(stdout).toContain(
      `| owner | select | rows where a,"b is '=1+1'; columns id, a,"b, =f |`,
    );
  });

  test('prints JSON with the places of rules', async () => {
    const { stdout } = await run('--json', '--column', 'item.state');
    expect(JSON.parse(stdout)).toMatchObject({
      table: 'public.item',
      column: 'state',
      uses: [
        { entry: { role: 'owner', operation: 'select', rows: 'all rows' } },
        { entry: { role: 'buyer' }, column: { name: 'state', from: [] } },
        {
          entry: { role: 'both' },
          column: { rows: "rows where state is 'open'", from: ['buyer'] },
        },
      ],
    });
  });

  test('writes a file', async () => {
    const file = path.join(made.metadata, 'matrix.csv');
    const { code, stdout } = await run('--csv', '--out', file);
    expect([code, stdout]).toEqual([0, '']);
    expect(await readFile(file, 'utf8')).toContain('public.item,owner,delete');
  });

  test.each([
    [['--json', '--csv'], '--json and --csv exclude each other'],
    [['--column', 'item.id', '--html'], '--column and --html exclude each other'],
    [['--column', 'price'], '"price" is not TABLE.COLUMN'],
    [['--column', 'item.prize'], 'public.item has no column "prize"\n  did you mean "price"?'],
    [['--table', 'itm'], 'the metadata has no table "itm"\n  did you mean "item"?'],
    [['--role', 'ownr'], 'role "ownr" is not in roles.yaml\n  did you mean "owner"?'],
    [['--out', '/nowhere/x'], '/nowhere/x cannot be written: ENOENT'],
  ])('refuses %j with the reason', async (args, reason) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });
});
