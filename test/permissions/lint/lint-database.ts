import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { allFindings } from '../../../permissions/lint/all-findings.ts';
import type { Prepared } from '../../../permissions/plan/prepare.ts';
import { type Installation, install } from '../support/installation.ts';
import type { MetadataFiles } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

/** Two tables and a view for which check reports nothing. */
const schema = `
create table org (id uuid primary key, name text not null);
create table account (
  id uuid primary key, org_id uuid not null references org, code text not null, note text,
  unique (org_id, code)
);
create view listed as select id, code from account;
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
columns: { code: { statistics: none }, note: { statistics: none } }
`,
  'tables/listed.yaml': 'table: listed\n',
};

/** An installation in which a test makes a change that check must report. */
export interface LintDatabase extends Installation {
  /**
   * Returns the findings after a superuser ran the statements, and rolls the statements back. `P_` stands for the
   * prefix of roles, `THIS_DATABASE` for the name of the database.
   */
  findingsAfter(sql: string): Promise<readonly string[]>;
  /** Returns the changes that apply would make after the statements. */
  changesAfter(sql: string): Promise<readonly string[]>;
}

/** Creates the installation and applies its rules. */
export async function makeLintDatabase(): Promise<LintDatabase> {
  const installation = await install({ schema, rules: quietRules });
  const { database, prefix, metadata } = installation;
  const superuser = await database.connectSuperuser();
  const name = `"${database.name}"`;
  const after = async (sql: string, work: (prepared: Prepared) => Promise<readonly string[]>) => {
    const real = sql.replaceAll('P_', prefix).replaceAll('THIS_DATABASE', name);
    // The owner reads the findings inside the transaction of the statements, which is then rolled back.
    const statements = `${real}; reset role; set local role rowgate_owner`;
    const texts = await withPrepared(superuser, installation, work, statements);
    return texts.map((text) =>
      text
        .replaceAll(`${metadata}/`, '')
        .replaceAll(prefix, 'P_')
        .replaceAll(name, 'THIS_DATABASE'),
    );
  };
  return {
    ...installation,
    findingsAfter: (sql) =>
      after(sql, async (prepared) =>
        (await allFindings(superuser, prepared)).map(formatDiagnostic),
      ),
    changesAfter: (sql) =>
      after(sql, async ({ plan }) => plan.changes.map((one) => `${one.action} ${one.label}`)),
  };
}

/** Makes the statements after it run as the owner of the tables, as migrations do. */
export const byOwner = 'set role rowgate_owner; set search_path = public;';

/** A change to the database, and the finding with which check reports the change. */
export interface LintCase {
  /** Title of the test. */
  readonly fact: string;
  readonly sql: string;
  /** The text of the finding, without the statement that repairs the change. */
  readonly finding: string;
  readonly repair: string;
}
