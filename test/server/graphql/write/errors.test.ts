import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf } from '../support/error-of.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway.ts';

/**
 * A text that occurs only in rows and columns that the role may not see, so no error for the role may contain the text.
 */
const marker = 'hidden-value';

const schema = `
create extension if not exists btree_gist;
create table thing (
  id integer primary key, name text, code text, pin text not null default 'p', n integer,
  during int4range, level smallint,
  constraint thing_code_key unique (code),
  constraint thing_n_check check (n < 100),
  constraint thing_during_excl exclude using gist (during with &&)
);
create table part (id integer primary key, thing_id integer constraint part_thing_fkey references thing, name text not null);
-- No role has rules for these tables.
create table ledger (
  id integer primary key, thing_id integer constraint ledger_thing_fkey references thing on update cascade on delete restrict,
  line text, constraint ledger_line_check check (thing_id < 50)
);
create table trail (thing_id integer constraint trail_thing_fkey references thing on delete cascade, line text, amount numeric);
create function guard_trail() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then raise exception 'cannot delete: %', old.line using detail = old.line, hint = old.line; end if;
    return new;
  end $$;
create trigger guard before delete on trail for each row execute function guard_trail();
create function watch() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare line text := (select l.line from public.ledger l limit 1);
  begin
    if new.name = 'raise' then raise exception 'from %', line using detail = line, hint = line; end if;
    if new.name = 'cast' then perform line::pg_catalog.int4; end if;
    if new.name = 'check' then insert into public.ledger values (99, 99, line); end if;
    if new.name = 'null' then insert into public.ledger values (null, 1, line); end if;
    if new.name = 'unique' then insert into public.ledger values (1, 1, line); end if;
    if new.name = 'length' then perform (line || line)::pg_catalog.varchar(3)::pg_catalog.int4; end if;
    if new.name = 'divide' then perform 1 / (pg_catalog.length(line) - pg_catalog.length(line)); end if;
    if new.name = 'denied' then raise exception using errcode = '42501', message = line, detail = line; end if;
    if new.name = 'constraint' then raise exception using errcode = '23514', message = line, constraint = line, table = line, column = line, schema = line; end if;
    if new.name in ('23503', '23514') then
      raise exception using errcode = new.name, message = line, table = 'thing', schema = 'public';
    end if;
    if new.name = 'preset' then raise exception using errcode = 'RG001', message = line; end if;
    if new.name = 'retry' then raise exception using errcode = '40001', message = line; end if;
    if new.name = 'time' then raise exception using errcode = '57014', message = line; end if;
    if new.name = 'odd' then raise exception using errcode = 'ZZ123', message = line; end if;
    return new;
  end $$;
create trigger watch before insert on thing for each row execute function watch();
`;

const metadata = {
  'roles.yaml': 'roles: { clerk: {} }\n',
  'tables/thing.yaml': `
table: thing
permissions:
  clerk:
    select: { filter: {}, columns: [id, name, n] }
    insert: { check: {}, columns: [id, name, n, code, during, level] }
    update: { filter: {}, columns: [id, name, n, code] }
    delete: { filter: {} }
`,
  'tables/part.yaml': `
table: part
permissions:
  clerk:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: [id, thing_id, name] }
    update: { filter: {}, columns: '*' }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  const owner = await gateway.database.connectOwner();
  await owner.query(`truncate thing cascade;
    insert into thing (id, name, code, n, during) values
      (1, 'a', '${marker}', 1, '[1,5)'), (2, 'b', 'c2', 2, null), (3, 'c', 'c3', 3, null), (4, 'd', 'c4', 4, null);
    insert into part values (1, 2, 'p');
    insert into ledger values (1, 1, '${marker}');
    insert into trail values (3, '${marker}', 5)`);
  await owner.end();
});

const clerk = { role: 'clerk' };
const asked = (field: string, ask = {}): Promise<Answer> =>
  gateway.ask(`mutation { ${field} }`, ask);
const insert = (values: string) => `insert_thing_one(object: {${values}}) { id }`;
const at = '$.selectionSet.insert_thing_one.args.object';

describe('a violation of a constraint', () => {
  test.each([
    [
      'of a unique key',
      insert('id: 1'),
      `${at} Uniqueness violation. duplicate key value violates unique constraint "thing_pkey"`,
    ],
    [
      'of a unique column that is hidden',
      insert(`id: 9, code: "${marker}"`),
      `${at} Uniqueness violation. duplicate key value violates unique constraint "thing_code_key"`,
    ],
    [
      'of a check',
      insert('id: 9, n: 100'),
      `${at} Check constraint violation. new row for relation "thing" violates check constraint "thing_n_check"`,
    ],
    [
      'of an exclusion',
      insert('id: 9, during: "[2,3)"'),
      `${at} Exclusion violation. conflicting key value violates exclusion constraint "thing_during_excl"`,
    ],
    [
      'of a foreign key',
      'insert_part_one(object: {id: 9, thing_id: 77, name: "x"}) { id }',
      '$.selectionSet.insert_part_one.args.object Foreign key violation. insert or update on table "part" violates foreign key constraint "part_thing_fkey"',
    ],
    [
      'of not-null',
      'insert_part_one(object: {id: 9}) { id }',
      '$.selectionSet.insert_part_one.args.object Not-NULL violation. null value in column "name" of relation "part" violates not-null constraint',
    ],
    [
      'by an update',
      'update_thing(where: {id: {_eq: 2}}, _set: {n: 500}) { affected_rows }',
      '$.selectionSet.update_thing.args Check constraint violation. new row for relation "thing" violates check constraint "thing_n_check"',
    ],
    [
      'by a delete',
      'delete_thing(where: {id: {_eq: 2}}) { affected_rows }',
      '$ Foreign key violation. update or delete on table "thing" violates foreign key constraint "part_thing_fkey" on table "part"',
    ],
    [
      'by a delete of a key',
      'delete_thing_by_pk(id: 2) { id }',
      '$ Foreign key violation. update or delete on table "thing" violates foreign key constraint "part_thing_fkey" on table "part"',
    ],
  ])(
    '%s is reported with the same message to every role that knows the table',
    async (_name, field, reported) => {
      const expected = `constraint-violation ${reported}`;
      expect(errorOf(await asked(field, clerk))).toBe(expected);
      expect(errorOf(await asked(field))).toBe(expected);
    },
  );
});

describe('a constraint, table or column that the role may not see', () => {
  const related = 'Foreign key violation. a row is referred to, or refers to one that is not there';
  const refused = 'a function or trigger of the database refuses this';
  test.each([
    [
      'a restricting key of a hidden table',
      'delete_thing(where: {id: {_eq: 1}}) { affected_rows }',
      `constraint-violation $ ${related}`,
    ],
    [
      'a check of a hidden table, by a cascade',
      'update_thing(where: {id: {_eq: 1}}, _set: {id: 60}) { affected_rows }',
      'constraint-violation $.selectionSet.update_thing.args Check constraint violation. a value does not pass a check of its type or table',
    ],
    [
      'a trigger of a hidden table, by a cascade',
      'delete_thing_by_pk(id: 3) { id }',
      `data-exception $.selectionSet.delete_thing_by_pk.args ${refused}`,
    ],
    ['a trigger that raises', insert('id: 9, name: "raise"'), `data-exception ${at} ${refused}`],
    [
      'a failed cast in a trigger',
      insert('id: 9, name: "cast"'),
      `data-exception ${at} a value is not written as its type requires`,
    ],
    [
      'a failed check in a trigger',
      insert('id: 9, name: "check"'),
      `constraint-violation ${at} Check constraint violation. a value does not pass a check of its type or table`,
    ],
    [
      'a null in a trigger',
      insert('id: 9, name: "null"'),
      `constraint-violation ${at} Not-NULL violation. a column that must have a value would have none`,
    ],
    [
      'a duplicate in a trigger',
      insert('id: 9, name: "unique"'),
      `constraint-violation ${at} Uniqueness violation. there is such a row already`,
    ],
    [
      'a text in a trigger',
      insert('id: 9, name: "length"'),
      `data-exception ${at} a value is not written as its type requires`,
    ],
    [
      'a division in a trigger',
      insert('id: 9, name: "divide"'),
      `data-exception ${at} division by zero`,
    ],
    [
      'a denial in a trigger',
      insert('id: 9, name: "denied"'),
      `permission-error ${at} permission denied`,
    ],
    [
      'a made-up violation',
      insert('id: 9, name: "constraint"'),
      `constraint-violation ${at} Check constraint violation. a value does not pass a check of its type or table`,
    ],
    [
      'a violation of nothing',
      insert('id: 9, name: "23514"'),
      `constraint-violation ${at} Check constraint violation. a value does not pass a check of its type or table`,
    ],
    [
      'a violation of no key',
      insert('id: 9, name: "23503"'),
      `constraint-violation ${at} ${related}`,
    ],
    [
      'a made-up missing preset',
      insert('id: 9, name: "preset"'),
      'not-found $ missing session variable: ""',
    ],
    [
      'a made-up conflict',
      insert('id: 9, name: "retry"'),
      'conflict $ the operation met another one at the same rows; try again',
    ],
    [
      'an error that a function raises',
      insert('id: 9, name: "odd"'),
      `data-exception ${at} ${refused}`,
    ],
    [
      'a timeout that a function raises',
      insert('id: 9, name: "time"'),
      `data-exception ${at} ${refused}`,
    ],
  ])('is not named in the error that it causes: %s', async (_name, field, expected) => {
    const answer = await asked(field, clerk);
    expect(errorOf(answer)).toBe(expected);
    expect(JSON.stringify(answer)).not.toContain(marker);
    // The same mutation field after another one, which runs in a transaction of several statements.
    const more = await asked(
      `a: update_thing(where: {}, _inc: {n: 1}) { affected_rows } ${field}`,
      clerk,
    );
    expect(errorOf(more)).toBe(expected);
  });

  test('is named in the error if admin causes it', async () => {
    expect(errorOf(await asked('delete_thing(where: {id: {_eq: 1}}) { affected_rows }'))).toMatch(
      /^constraint-violation \S+ Foreign key violation\. .*foreign key constraint "ledger_thing_fkey" on table "ledger"$/,
    );
    expect(errorOf(await asked(insert('id: 9, name: "cast"')))).toBe(
      `data-exception ${at} invalid input syntax for type integer: "${marker}"`,
    );
    expect(errorOf(await asked(insert('id: 9, name: "denied"')))).toBe(
      `permission-error ${at} ${marker}`,
    );
  });

  test('is not named if it is a not-null column that the role can neither read nor write', async () => {
    const owner = await gateway.database.connectOwner();
    await owner.query('alter table thing alter pin drop default');
    expect(errorOf(await asked(insert('id: 9'), clerk))).toBe(
      `constraint-violation ${at} Not-NULL violation. a column that must have a value would have none`,
    );
    expect(errorOf(await asked(insert('id: 9')))).toBe(
      `constraint-violation ${at} Not-NULL violation. null value in column "pin" of relation "thing" violates not-null constraint`,
    );
    await owner.query("alter table thing alter pin set default 'p'");
    await owner.end();
  });
});

describe('a value that Postgres refuses', () => {
  test.each([
    [
      insert('id: 9, level: 40000'),
      'a number is out of the range of its type',
      'value "40000" is out of range for type smallint',
    ],
    [
      insert('id: 9, during: "x"'),
      'a value is not written as its type requires',
      'malformed range literal: "x"',
    ],
    [
      'update_thing(where: {}, _inc: {n: 2147483647}) { affected_rows }',
      'a number is out of the range of its type',
      'integer out of range',
    ],
  ])(
    'is quoted in the error for admin, but not for other roles: %s',
    async (field, general, exact) => {
      const own = `$.selectionSet.${/^\w+/.exec(field)?.[0]}.args`;
      expect(errorOf(await asked(field, clerk))).toMatch(
        new RegExp(`^data-exception \\${own}\\S* ${general}$`),
      );
      const reported = errorOf(await asked(field));
      expect(reported.startsWith(`data-exception ${own}`)).toBe(true);
      expect(reported.endsWith(exact)).toBe(true);
    },
  );
});
