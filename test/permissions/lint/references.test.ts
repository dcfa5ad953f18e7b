import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { metadataFindings } from '../../../permissions/lint/metadata-findings.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const schema = `
create table person (org integer not null, id integer not null, primary key (org, id));
create table task (
  id integer primary key, org integer not null, person integer, owner integer default 1,
  foreign key (org, person) references person, foreign key (org, owner) references person
);
create index on task (org, person);
create index on task (org, owner);
`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterEach(() => made.rewrite({}));
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Returns the foreign keys of task that, by the findings, a role without access to person can never write. */
async function findingsOf(rule: string): Promise<readonly (string | undefined)[]> {
  await made.rewrite({
    'rowgate.yaml': 'references_visible: true\n',
    'roles.yaml': 'roles: { member: {} }\n',
    'tables/person.yaml': 'table: person\n',
    'tables/task.yaml': `table: task\npermissions:\n  member:\n    ${rule}\n`,
  });
  const findings = await withPrepared(made.owner, made, async ({ loaded }) =>
    metadataFindings(loaded),
  );
  return findings
    .filter((one) => one.code === 'RG_REFERENCE_HIDDEN')
    .map((one) => /may write (.*) of public\.task/.exec(formatDiagnostic(one))?.[1]);
}

test.each([
  ['a foreign key that an insert rule writes', 'insert: { check: {}, columns: [org, person] }'],
  [
    'a foreign key that a preset of an insert rule completes',
    'insert: { check: {}, columns: [org], set: { person: 1 } }',
  ],
])(
  '%s is reported when the role sees no row of the table that it refers to',
  async (_what, rule) => {
    expect(await findingsOf(rule)).toContain('"org", "person"');
  },
);

test('a foreign key that a column default completes is reported when the role sees no row of its target', async () => {
  expect(await findingsOf('insert: { check: {}, columns: [org] }')).toEqual(['"org", "owner"']);
});

test('a foreign key of which an update rule writes one column is reported when the role sees no row of its target', async () => {
  const rule = 'update: { filter: {}, columns: [org], check: {} }';
  expect(await findingsOf(rule)).toContain('"org", "person"');
});
