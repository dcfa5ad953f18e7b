import type pg from 'pg';
import { pinSearchPath, prepare } from '../../../permissions/apply/prepare.ts';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { allFindings } from '../../../permissions/lint/all-findings.ts';
import { type Installation, install } from '../support/installation.ts';
import type { MetadataFiles } from '../support/metadata-files.ts';

/** Two tables that no linter has anything to say about. */
const schema = `
create table org (id uuid primary key, name text not null);
create table account (
  id uuid primary key, org_id uuid not null references org, code text not null, note text,
  unique (org_id, code)
);
`;

const own = '{ org_id: { _eq: X-Gql-Org-Id } }';

export const quietRules: MetadataFiles = {
  'roles.yaml': 'roles:\n  member: { requires: [X-Gql-Org-Id] }\n',
  'tables/org.yaml': 'table: org\n',
  'tables/account.yaml': `
table: account
permissions:
  member:
    select: { filter: ${own}, columns: [id, code, note] }
    insert: { check: ${own}, columns: [id, org_id, code] }
    update: { filter: ${own}, columns: [code, note] }
without_relationships: [org]
`,
};

/** An installation in which things can be planted. */
export interface Planting extends Installation {
  /** What is told of a database in which a superuser ran this; nothing of it stays. `P_` stands for the prefix. */
  planted(sql: string): Promise<readonly string[]>;
}

export async function makePlanting(rules: MetadataFiles = quietRules): Promise<Planting> {
  const installation = await install({ schema, rules });
  const superuser = await installation.database.connectSuperuser();
  return { ...installation, planted: (sql) => findingsAfter(superuser, installation, sql) };
}

async function findingsAfter(
  superuser: pg.Client,
  { prefix, metadata, database }: Installation,
  sql: string,
): Promise<readonly string[]> {
  const settings = { metadata, rolePrefix: prefix, headerPrefix: 'X-Gql-' };
  await superuser.query('begin');
  try {
    await superuser.query(
      sql.replaceAll('P_', prefix).replaceAll('THIS_DATABASE', `"${database.name}"`),
    );
    await superuser.query('reset role; set local role rowgate_owner');
    await superuser.query(pinSearchPath);
    const findings = await allFindings(superuser, await prepare(superuser, settings));
    return findings.map((one) =>
      formatDiagnostic(one)
        .replaceAll(`${metadata}/`, '')
        .replaceAll(prefix, 'P_')
        .replaceAll(`"${database.name}"`, 'THIS_DATABASE'),
    );
  } finally {
    await superuser.query('rollback');
  }
}
