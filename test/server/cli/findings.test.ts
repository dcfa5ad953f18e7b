import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type MetadataFiles,
  removeMetadata,
  writeMetadata,
} from '../../permissions/support/metadata-files.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase({ from: 'gateway' });
  await query(
    database.ownerUrl,
    `create table public.ticket (id int primary key, owner text not null, team text not null, state text not null);
     create index on public.ticket (owner)`,
  );
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

const rules: MetadataFiles = {
  'roles.yaml': 'roles: { owner: { requires: [X-Gql-User] }, team: { requires: [X-Gql-Team] } }\n',
  'tables/ticket.yaml': `table: ticket
permissions:
  team: { select: { filter: { team: X-Gql-Team }, columns: [id] } }
  owner:
    select: { filter: { owner: X-Gql-User }, columns: [id, owner] }
    update: { filter: { owner: X-Gql-User }, columns: [owner] }
`,
};

const unindexed = 'no index of public.ticket begins with a column that the filter of team compares';
const moving =
  'owner may change columns that its update filter on public.ticket compares, and there is no check';

function accepting(entries: readonly (readonly [code: string, finding: string])[]): MetadataFiles {
  const list = entries.map(
    ([code, finding]) => `  - { code: ${code}, finding: '${finding}', reason: known }\n`,
  );
  return { ...rules, 'rowgate.yaml': `accepted_findings:\n${list.join('')}` };
}

async function run(command: string, files: MetadataFiles, ...options: readonly string[]) {
  const folder = await writeMetadata(files);
  const environment = { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: inject('scratch') };
  const ran = await runCommand([command, '--metadata', folder, ...options], environment);
  const lines = ran.stderr.trimEnd().replaceAll(`${folder}/`, '').split('\n');
  return { ...ran, lines: lines.map((line) => line.replace(/;.*/, '')) };
}

describe('findings of rowgate check', () => {
  test('are printed by weight, not by place: access before cost, and then counted', async () => {
    const { code, lines } = await run('check', rules);
    expect([code, lines]).toEqual([
      0,
      [
        `tables/ticket.yaml:6:5 warning RG_UPDATE_CHECK ${moving}`,
        `tables/ticket.yaml:3:11 warning RG_UNINDEXED ${unindexed}`,
        '2 warnings (1 about access, 1 about cost)',
      ],
    ]);
  });

  test('are counted when there are many errors, too', async () => {
    const { code, lines } = await run('check', {
      ...rules,
      'tables/ticket.yaml': rules['tables/ticket.yaml']?.replaceAll('[id', '[ident') ?? '',
    });
    expect([code, lines.at(-1)]).toEqual([1, '2 errors']);
  });

  test('that rowgate.yaml accepts are counted alone, and pass with --strict', async () => {
    const one = accepting([['RG_UNINDEXED', unindexed]]);
    const strict = await run('check', one, '--strict');
    expect([strict.code, strict.lines]).toEqual([
      1,
      [
        `tables/ticket.yaml:6:5 warning RG_UPDATE_CHECK ${moving}`,
        '1 warning (1 about access), 1 accepted',
      ],
    ]);
    const all = accepting([
      ['RG_UNINDEXED', unindexed],
      ['RG_UPDATE_CHECK', moving],
    ]);
    expect(await run('check', all, '--strict')).toMatchObject({ code: 0, lines: ['2 accepted'] });
    expect(await run('check', all)).toMatchObject({ code: 0, stdout: '' });
    expect((await run('plan', all)).lines.at(-1)).toBe('2 accepted');
  });

  test('that rowgate.yaml accepts stand in the JSON with their reason', async () => {
    const { stdout } = await run('check', accepting([['RG_UNINDEXED', unindexed]]), '--json');
    const { findings, counts } = JSON.parse(stdout);
    expect(counts).toEqual({ errors: 0, warnings: 1, notices: 0, accepted: 1 });
    expect(findings).toEqual([
      expect.not.objectContaining({ accepted: expect.anything() }),
      expect.objectContaining({ code: 'RG_UNINDEXED', accepted: 'known' }),
    ]);
  });

  test('are reported when an entry of rowgate.yaml accepts no warning', async () => {
    const { code, lines } = await run('check', accepting([['RG_UNINDEXED', moving]]), '--strict');
    expect([code, lines]).toEqual([
      1,
      expect.arrayContaining([
        `rowgate.yaml:2:36 warning RG_ACCEPTED check has no such warning to accept: RG_UNINDEXED ${moving}`,
      ]),
    ]);
  });

  test('that are errors cannot be accepted', async () => {
    const message = 'PUBLIC may create objects in schema "public", which rules use';
    await query(database.ownerUrl, 'grant create on schema public to public');
    const { code, lines } = await run('check', accepting([['RG_SCHEMA_WRITABLE', message]]));
    await query(database.ownerUrl, 'revoke create on schema public from public');
    const [error] = lines.filter((line) => line.startsWith('RG_SCHEMA_WRITABLE'));
    expect([code, error, lines.filter((line) => line.includes('cannot be accepted'))]).toEqual([
      1,
      `RG_SCHEMA_WRITABLE ${message}`,
      [
        `rowgate.yaml:2:42 warning RG_ACCEPTED an error cannot be accepted: RG_SCHEMA_WRITABLE ${message}`,
      ],
    ]);
  });

  test('need a known code and a reason to be accepted', async () => {
    const without = {
      ...rules,
      'rowgate.yaml': 'accepted_findings: [{ code: RG_X, finding: a }]\n',
    };
    const { code, lines } = await run('check', without);
    expect([code, lines.join('\n')]).toEqual([1, expect.stringMatching(/reason/)]);
    expect(lines.join('\n')).toMatch(/the code of a warning/);
  });

  test('that are accepted are not among the warnings that apply counts', async () => {
    const applied = await run('apply', accepting([['RG_UNINDEXED', unindexed]]), '--yes');
    expect(applied.stdout).toMatch(/\n1 warning; rowgate check shows it\n$/);
  });
});
