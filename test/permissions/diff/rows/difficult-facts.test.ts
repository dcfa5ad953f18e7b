import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRules } from '../../../../permissions/diff/rows/compare-rules.ts';
import { resolveModel } from '../../../../permissions/model/load-model.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import { since } from '../../../support/since.ts';
import { type Installation, makeInstallation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';

/** A pair of rules about a table; the row `id: 1` passes the second rule only. */
interface FalseProof {
  readonly what: string;
  /** The first version of Postgres that accepts the schema. Default: every version. */
  readonly from?: number;
  readonly table: string;
  readonly schema: string;
  readonly before: string;
  readonly after: string;
  /** More of the table's file. */
  readonly head?: string;
  /** Another table, of which no role has a rule. */
  readonly other?: string;
}

const allProofs: readonly FalseProof[] = [
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
  {
    what: 'orders of texts in two collations',
    table: 'sorted',
    schema: `create table sorted (id int4 primary key, x text collate "en-US-x-icu" not null,
        y text collate "C" not null);
      insert into sorted values (1, 'b', 'Z')`,
    before: '{ x: { _gt: a, _lt: B }, y: { _lt: a }, _and: [{ y: { _lt: B } }] }',
    after: '{ x: { _gt: a, _lt: B }, y: { _lt: a } }',
  },
  {
    what: 'two collations that find different texts equal',
    table: 'folded',
    schema: `create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create collation ai (provider = icu, locale = 'und-u-ks-level1-kc-true', deterministic = false);
      create table folded (id int4 primary key, x text collate ci not null, y text collate ai not null);
      insert into folded values (1, 'foo', 'foo')`,
    before: '{ _and: [{ x: foo }, { x: FOO }, { y: foo }, { y: FOO }] }',
    after: '{ _and: [{ x: foo }, { x: FOO }, { y: foo }] }',
  },
  {
    what: 'a foreign key that an inheriting table lacks',
    table: 'parent',
    schema: `create table referred (id int4 primary key);
      create table parent (id int4 primary key, o_id int4 not null references referred);
      create table child () inherits (parent);
      insert into child values (1, 7)`,
    before: '{ o: {} }',
    after: '{}',
    other: 'referred',
  },
  {
    what: 'a column that only the parent fills',
    from: 18,
    table: 'filled',
    schema: `create table filled (id int4 primary key, x int4 constraint c not null no inherit);
      create table unfilled () inherits (filled);
      insert into unfilled values (1, null)`,
    before: '{ x: { _is_null: false } }',
    after: '{}',
  },
  {
    what: 'a key that an inheriting table lacks',
    table: 'pointing',
    schema: `create table keyed (code int4 primary key, a bool not null, b bool not null);
      create table keyless () inherits (keyed);
      insert into keyed values (1, true, false);
      insert into keyless values (1, false, true);
      create table pointing (id int4 primary key, k int4 not null);
      insert into pointing values (1, 1)`,
    before: '{ p: { a: true, b: true } }',
    after: '{ _and: [{ p: { a: true } }, { p: { b: true } }] }',
    head: 'relationships: { p: { table: keyed, kind: object, columns: { k: code } } }\n',
    other: 'keyed',
  },
  {
    what: 'a key that the partitions lack',
    table: 'pointing_down',
    schema: `create table parts (code int4 not null, a bool not null, b bool not null) partition by list (code);
      create table part partition of parts default;
      alter table only parts add primary key (code);
      insert into parts values (1, true, false), (1, false, true);
      create table pointing_down (id int4 primary key, k int4 not null);
      insert into pointing_down values (1, 1)`,
    before: '{ p: { a: true, b: true } }',
    after: '{ _and: [{ p: { a: true } }, { p: { b: true } }] }',
    head: 'relationships: { p: { table: parts, kind: object, columns: { k: code } } }\n',
    other: 'parts',
  },
  {
    what: 'a deferrable key',
    table: 'pointing_late',
    schema: `create table late (code int4 primary key deferrable, a bool not null, b bool not null);
      create table pointing_late (id int4 primary key, k int4 not null)`,
    before: '{ p: { a: true, b: true } }',
    after: '{ _and: [{ p: { a: true } }, { p: { b: true } }] }',
    head: 'relationships: { p: { table: late, kind: object, columns: { k: code } } }\n',
    other: 'late',
  },
  {
    what: 'a deferrable reference',
    table: 'owned_late',
    schema: `create table owner_late (id int4 primary key);
      create table owned_late (id int4 primary key, owner_id int4 not null references owner_late deferrable)`,
    before: '{ owner: {} }',
    after: '{}',
    other: 'owner_late',
  },
  {
    what: 'a key whose texts the other column finds equal',
    table: 'blind',
    schema: `create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create table exact (code text primary key, a bool not null, b bool not null);
      insert into exact values ('x', true, false), ('X', false, true);
      create table blind (id int4 primary key, k text collate blind not null);
      insert into blind values (1, 'x')`,
    before: '{ p: { a: true, b: true } }',
    after: '{ _and: [{ p: { a: true } }, { p: { b: true } }] }',
    head: 'relationships: { p: { table: exact, kind: object, columns: { k: code } } }\n',
    other: 'exact',
  },
  {
    what: 'the Turkish lower case of I',
    table: 'turkish',
    schema: `create table turkish (id int4 primary key, a text collate "tr-TR-x-icu" not null);
      insert into turkish values (1, 'I')`,
    before: '{ a: { _eq: I, _like: nothing } }',
    after: '{ a: { _eq: I, _nilike: i } }',
  },
];
const falseProofs = allProofs.filter(({ from = 14 }) => since(from));

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
