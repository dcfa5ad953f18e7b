import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRules } from '../../../../permissions/diff/rows/compare-rules.ts';
import { resolveModel } from '../../../../permissions/model/load-model.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import { type Installation, makeInstallation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';

/** A pair of rules about a table; the row `id: 1` passes the second rule only. */
interface FalseProof {
  readonly what: string;
  readonly table: string;
  readonly schema: string;
  readonly before: string;
  readonly after: string;
  /** More of the table's file. */
  readonly head?: string;
  /** Another table, of which no role has a rule. */
  readonly other?: string;
}

const falseProofs: readonly FalseProof[] = [
  {
    what: 'a column whose name looks like a comparison',
    table: 'named',
    schema: `create table named (id int4 primary key, a text not null, "a ~~*  =1" text not null);
      insert into named values (1, 'zz', '2')`,
    before: '{ a: { _ilike: "1 ~~*  =2" } }',
    after: '{ "a ~~*  =1": { _ilike: "2" } }',
  },
  {
    what: 'time zones that Postgres refuses',
    table: 'timed',
    schema: `create table timed (id int4 primary key, at timestamptz not null);
      insert into timed values (1, '2030-01-01T00:00:00Z')`,
    before: '{ at: { _gt: "2020-01-01T00:00:00+15:99" } }',
    after: '{ at: { _gt: "2020-01-02T00:00:00+24:30" } }',
  },
];

function filesOf(pair: FalseProof) {
  const { table, before, after, head = '', other } = pair;
  const rule = (filter: string) => `{ select: { columns: [id], filter: ${filter} } }`;
  const content = `table: ${table}\n${head}permissions:\n  before: ${rule(before)}\n  after: ${rule(after)}\n`;
  const path = (name: string) => `tables/${name}.yaml`;
  return {
    [path(table)]: content,
    ...(other !== undefined && { [path(other)]: `table: ${other}\n` }),
  };
}

let installation: Installation;
let model: Model;
beforeAll(async () => {
  const schema = falseProofs.map((one) => one.schema).join(';\n');
  const roles = 'roles: { before: {}, after: {} }\n';
  const files = Object.assign({ 'roles.yaml': roles }, ...falseProofs.map(filesOf));
  installation = await makeInstallation({ schema, rules: files });
  const { metadata, prefix: rolePrefix, owner: client } = installation;
  ({ model } = await resolveModel({ client, metadata, headerPrefix: 'X-Gql-', rolePrefix }));
});
afterAll(async () => {
  await installation.drop();
  await removeMetadata();
});

describe('the comparison of two row rules', () => {
  test.each(falseProofs)('is not deceived by $what', ({ table }) => {
    const ruleOf = (role: string) => {
      const key = `public.${table}`;
      return { table: key, expression: model.roles.get(role)?.tables.get(key)?.select?.filter };
    };
    const { verdict } = compareRules(ruleOf('before'), ruleOf('after'), {
      before: model,
      after: model,
    });
    expect(['wider', 'crossed', 'undecided']).toContain(verdict);
  });
});
