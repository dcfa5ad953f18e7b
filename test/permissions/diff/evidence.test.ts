import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectCatalog } from '../../../permissions/catalog/inspect-catalog.ts';
import type { CatalogData } from '../../../permissions/catalog/types.ts';
import type { Change } from '../../../permissions/diff/change.ts';
import { compareVersions } from '../../../permissions/diff/compare/compare-versions.ts';
import { gatherEvidence } from '../../../permissions/diff/database/gather-evidence.ts';
import type { Version } from '../../../permissions/diff/load/version.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { versionOf } from './support/versions.ts';

const schema = `
  create table team (id int primary key, is_open boolean not null);
  create table note (id int primary key, team_id int not null references team, status text, body text not null);
  insert into team values (1, true), (2, false);
  insert into note select n, 1 + n % 2, case when n <= 4 then 'open' end, 'x' from generate_series(1, 10) n;
  create function parsed(n note) returns int stable language plpgsql as 'begin return n.body::int; end';`;

let database: TestDatabase;
let owner: pg.Client;
let catalog: CatalogData;
beforeAll(async () => {
  database = await createDatabase({ from: 'empty' });
  owner = await database.connectOwner();
  await owner.query(schema);
  catalog = await inspectCatalog(owner);
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

function readerOf(filter: string, role = '{}'): Promise<Version> {
  const files = {
    'roles.yaml': `roles: { reader: ${role} }\n`,
    'rowgate.yaml': 'variables: { X-Gql-Team-Id: }\n',
    'tables/team.yaml': 'table: team\n',
    'tables/note.yaml': `table: note\ncomputed_fields: { parsed: { function: parsed } }\npermissions:\n  reader: { select: { filter: ${filter}, columns: [id] } }\n`,
  };
  return versionOf(files, catalog);
}

async function evidenceOf(
  old: string,
  now: string,
  edit: (change: Change) => Change = (change) => change,
) {
  const [before, after] = [await readerOf(old), await readerOf(now)];
  const changes = compareVersions(before, after).map(edit);
  const [found] = await gatherEvidence(owner, changes, { model: after.model, seconds: 30 });
  return found;
}

describe('the evidence from a database', () => {
  test('counts rows exactly if the rules depend on no caller', async () => {
    const found = await evidenceOf('{ status: { _eq: open } }', '{}');
    expect(found?.evidence).toMatchObject({
      gained: { rows: 6, total: 10, isAtLeast: false, cutOff: undefined },
      lost: undefined,
      replay: { kind: 'confirmed' },
    });
  });

  test('counts rows that are lost, by the rows of another table', async () => {
    const found = await evidenceOf('{}', '{ team: { is_open: { _eq: true } } }');
    expect(found?.evidence).toMatchObject({ lost: { rows: 5 }, replay: { kind: 'confirmed' } });
  });

  test('counts each row for the caller to whom it belongs', async () => {
    const own = '{ team_id: { _eq: X-Gql-Team-Id }, status: { _eq: open } }';
    const found = await evidenceOf(own, '{ team_id: { _eq: X-Gql-Team-Id } }');
    expect(found?.evidence?.gained).toMatchObject({ rows: 6, isAtLeast: true });
  });

  test('makes a change undecided if Postgres contradicts its example', async () => {
    const found = await evidenceOf('{ status: { _eq: open } }', '{}', (change) => {
      const { rows } = change;
      const gained = rows?.gained && { ...rows.gained, row: { status: 'open' } };
      return rows && gained ? { ...change, rows: { ...rows, gained } } : change;
    });
    expect(found).toMatchObject({
      class: 'review',
      rows: { verdict: 'undecided' },
      evidence: { replay: { kind: 'contradicted' } },
    });
  });

  test.each([
    ['same', '{ status: { _eq: open } }', '{}', '6 gained'],
    ['narrower', '{ status: { _eq: open } }', '{}', '6 gained'],
    ['wider', '{}', '{ status: { _eq: open } }', '6 lost'],
    ['same', '{}', '{ status: { _eq: open } }', '6 lost'],
  ] as const)(
    'makes a change that is %s undecided if counted rows contradict it, from %s to %s',
    async (verdict, old, now, count) => {
      const found = await evidenceOf(old, now, (change) => {
        const { rows } = change;
        if (!rows) return change;
        const { gained: _, lost: __, ...rest } = rows;
        return { ...change, class: 'safe', rows: { ...rest, verdict } };
      });
      expect(found).toMatchObject({
        class: 'review',
        rows: { verdict: 'undecided', reason: expect.stringContaining(count) },
      });
    },
  );

  test('counts only for callers who have the variables that their role requires', async () => {
    const requires = '{ requires: [X-Gql-Team-Id] }';
    const before = await readerOf(
      '{ team_id: { _eq: X-Gql-Team-Id }, status: { _eq: open } }',
      requires,
    );
    const after = await readerOf(
      '{ status: { _eq: open }, _not: { team_id: { _is_null: true } } }',
      requires,
    );
    const [found] = await gatherEvidence(owner, compareVersions(before, after), {
      ...{ model: after.model, seconds: 30 },
    });
    expect(found?.evidence?.gained?.rows).toBe(0);
  });

  test('names the SQLSTATE alone if Postgres refuses to count', async () => {
    const number = '{ parsed: { _gte: 1 } }';
    const found = await evidenceOf('{ parsed: { _eq: 1 } }', number);
    expect(found?.evidence?.gained).toMatchObject({
      cutOff: 'Postgres refused it with SQLSTATE 3F000',
    });
  });

  test('reports why an example cannot be replayed', async () => {
    const found = await evidenceOf('{ status: { _eq: open } }', '{}', (change) => {
      const { rows } = change;
      const gained = rows?.gained && { ...rows.gained, row: { nowhere: 'x' } };
      return rows && gained ? { ...change, rows: { ...rows, gained } } : change;
    });
    expect(found?.evidence?.replay).toEqual({
      kind: 'not replayed',
      reason: 'Postgres refused it with SQLSTATE 42703',
    });
  });

  test('leaves nothing behind', async () => {
    await evidenceOf('{ status: { _eq: open } }', '{}');
    const { rows } = await owner.query(
      "select count(*)::int as rows, (select count(*)::int from pg_class where relname like 'rowgate_witness%') as tables from note",
    );
    expect(rows).toEqual([{ rows: 10, tables: 0 }]);
  });
});
