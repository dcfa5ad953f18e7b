import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table author (id int primary key, first_name text not null, last_name text, secret int not null default 0);
create table article (id int primary key, author_id int not null references author, title text not null, published boolean not null);
create function full_name(author) returns text language sql stable as $$ select $1.first_name || coalesce(' ' || $1.last_name, '') $$;
create function initials(one author, separator text default '.', times int default 1) returns text language sql stable
  as $$ select repeat(left(one.first_name, 1) || separator, times) $$;
create function greeting(session json, one author) returns text language sql stable
  as $$ select (session ->> 'x-gql-role') || ':' || coalesce(session ->> 'x-gql-word', 'none') || ':' || one.first_name $$;
create function articles_like(search text, one author) returns setof article language sql stable
  as $$ select * from article where author_id = one.id and title ilike '%' || search || '%' $$;
create function published(one author) returns setof article language sql stable
  as $$ select * from article where author_id = one.id and published $$;
create function name_count(one author, above int default 0) returns int language sql stable security definer set search_path = public, pg_temp
  as $$ select count(*)::int from author where length(first_name) = length(one.first_name) and id > above $$;
create function asked_by(session json, one author) returns text language sql stable security definer set search_path = public, pg_temp
  as $$ select concat(session ->> 'x-gql-word', ' ', one.last_name) $$;
create function marks(one author) returns int[] language sql stable as $$ select array[one.id, one.secret] $$;
revoke execute on function name_count(author, int), asked_by(json, author) from public;
create function stamp() returns trigger language plpgsql
  as $$ begin if exists (select from author where id = new.author_id) then new.title := upper(new.title); end if; return new; end $$;
insert into author values (1, 'Ada', 'Lovelace', 7), (2, 'Bob', null, 8);
insert into article values (1, 1, 'engines', true), (2, 1, 'notes', false), (3, 2, 'ropes', false);
create trigger stamp before insert on article for each row execute function stamp();`;

const metadata = {
  'roles.yaml': `roles:
  whole: { group: a, purpose: reads every column }
  partial: { group: a, purpose: reads a part of each row }
  "odd/'role": { group: a, purpose: has a name with other characters }
`,
  'tables/author.yaml': `table: author
computed_fields:
  full_name: { function: full_name }
  initials: { function: initials, table_argument: one }
  greeting: { function: greeting, table_argument: one, session_argument: session }
  name_count: { function: name_count, table_argument: one }
  marks: { function: marks }
  asked: { function: asked_by, table_argument: one, session_argument: session }
  articles_like: { function: articles_like, table_argument: one }
  published: { function: published, table_argument: one }
permissions:
  whole:
    select: { filter: { _not: { first_name: { _eq: X-Gql-Word } } }, columns: '*', computed_fields: '*' }
  partial:
    select: { filter: { id: { _gt: 1 } }, columns: [id], computed_fields: [full_name, name_count] }
  "odd/'role": { select: { filter: {}, columns: '*', computed_fields: [greeting] } }
`,
  'tables/article.yaml': `table: article
permissions:
  whole: { select: { filter: { published: { _eq: true } }, columns: '*' } }
  partial: { select: { filter: {}, columns: [id, title] } }
`,
};

let gateway: Gateway;
let owner: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  owner = await gateway.database.connectOwner();
});
afterAll(() => gateway.stop());

const whole = { role: 'whole', variables: { Word: 'x' } };

const undo =
  "update author set last_name = 'Lovelace' where id = 1; delete from article where id = 9";

describe('a computed field', () => {
  afterEach(() => owner.query(undo));

  test('can be selected, filtered by and ordered by', async () => {
    const query = `{ author(where: { full_name: { _like: "%o%" } }, order_by: { full_name: desc }) { full_name } }`;
    expect(await gateway.ask(query)).toEqual({
      data: { author: [{ full_name: 'Bob' }, { full_name: 'Ada Lovelace' }] },
    });
  });

  test('takes arguments of its function, and arguments with defaults may be omitted', async () => {
    const query = `query ($times: Int) { author_by_pk(id: 1) {
      plain: initials some: initials(args: { times: 2 }) all: initials(args: { separator: "-", times: $times })
    } }`;
    expect((await gateway.ask(query, { with: { times: 3 } })).data.author_by_pk).toEqual({
      plain: 'A.',
      some: 'A.A.',
      all: 'A-A-A-',
    });
  });

  test('cannot be used in where if an argument is required', async () => {
    const query = '{ author(where: { articles_like: { id: { _eq: 1 } } }) { id } }';
    const { errors } = await gateway.ask(query);
    expect(errors?.[0]?.message).toBe("field 'articles_like' not found in type: 'author_bool_exp'");
    const byDefault = '{ author(where: { initials: { _eq: "A." } }) { id } }';
    expect((await gateway.ask(byDefault)).data.author).toEqual([{ id: 1 }]);
  });

  test('passes the session variables and the role to its function', async () => {
    const query = '{ author(where: { id: { _eq: 1 } }) { greeting } }';
    expect((await gateway.ask(query, whole)).data.author).toEqual([{ greeting: 'whole:x:Ada' }]);
    expect((await gateway.ask(query)).data.author).toEqual([{ greeting: 'admin:none:Ada' }]);
    const odd = (await gateway.ask(query, { role: "odd/'role" })).data.author;
    expect(odd).toEqual([{ greeting: "odd/'role:none:Ada" }]);
  });

  test('sees all rows if its function is SECURITY DEFINER, and otherwise only the rows that the caller may see', async () => {
    const query = `{ author(where: { name_count: { _eq: 2 } }, order_by: { asked: desc }) {
      id name_count asked initials(args: { separator: "-" })
    } }`;
    expect(await gateway.ask(query, whole)).toEqual({
      data: {
        author: [
          { id: 1, name_count: 2, asked: 'x Lovelace', initials: 'A-' },
          { id: 2, name_count: 2, asked: 'x ', initials: 'B-' },
        ],
      },
    });
    const partly = await gateway.ask('{ author { id name_count } }', { role: 'partial' });
    expect(partly.data.author).toEqual([{ id: 2, name_count: 2 }]);
  });

  test('takes arguments even if no role may call its function as a root field', async () => {
    const query = '{ author(order_by: { id: asc }) { name_count(args: { above: 1 }) } }';
    const { data } = await gateway.ask(query, whole);
    expect(data.author).toEqual([{ name_count: 1 }, { name_count: 1 }]);
  });

  test('that returns rows takes limit and order_by, and its rows can be used in where', async () => {
    const query = `{ author(where: { published: { title: { _eq: "engines" } } }) {
      articles_like(args: { search: "e" }, order_by: { id: desc }, limit: 1) { id title }
    } }`;
    expect((await gateway.ask(query)).data.author).toEqual([
      { articles_like: [{ id: 2, title: 'notes' }] },
    ]);
  });

  test('that returns rows of another table omits those that the role may not see', async () => {
    const query =
      '{ author(where: { id: { _eq: 1 } }) { articles_like(args: { search: "e" }) { id } } }';
    expect((await gateway.ask(query, whole)).data.author).toEqual([{ articles_like: [{ id: 1 }] }]);
  });

  test('that is a single value can be read by a role that reads only some columns, in the rows that it may see', async () => {
    const query = '{ author(order_by: { full_name: asc }) { id full_name } }';
    expect(await gateway.ask(query, { role: 'partial' })).toEqual({
      data: { author: [{ id: 2, full_name: 'Bob' }] },
    });
  });

  test('that returns rows with the rights of the caller is absent for a role that reads only some columns', async () => {
    const query = '{ author { articles_like(args: { search: "e" }) { id } } }';
    const { errors } = await gateway.ask(query, { role: 'partial' });
    expect(errors?.[0]?.message).toMatch("field 'articles_like' not found in type: 'author'");
  });

  test('whose function is SECURITY DEFINER shows the state after the write in the result of a mutation', async () => {
    const query = `mutation { update_author(where: { id: { _eq: 1 } }, _set: { last_name: "King" }) { returning { asked name_count } } }`;
    expect((await gateway.ask(query)).data.update_author.returning).toEqual([
      { asked: ' King', name_count: 2 },
    ]);
  });

  test('whose function is SECURITY DEFINER is null in the result of a deletion', async () => {
    const query = `mutation { insert_author_one(object: { id: 8, first_name: "Zed" }) { name_count }
      delete_author_by_pk(id: 8) { id name_count full_name } }`;
    expect((await gateway.ask(query)).data).toEqual({
      insert_author_one: { name_count: 3 },
      delete_author_by_pk: { id: 8, name_count: null, full_name: 'Zed' },
    });
  });

  test('whose function runs with the rights of the caller shows the state after the write in the result of a mutation', async () => {
    const query = `mutation { update_author_by_pk(pk_columns: { id: 2 }, _set: { last_name: "Marley" }) { full_name }
      insert_article_one(object: { id: 9, author_id: 2, title: "songs", published: true }) { title }
      update_author(where: { id: { _eq: 2 } }, _set: { last_name: null }) { returning { full_name published { id } } } }`;
    expect((await gateway.ask(query)).data).toEqual({
      update_author_by_pk: { full_name: 'Bob Marley' },
      insert_article_one: { title: 'SONGS' },
      update_author: { returning: [{ full_name: 'Bob', published: [{ id: 9 }] }] },
    });
  });
});

test('a computed field with an array value has min and max, but no sum', async () => {
  const fields = (name: string) =>
    `${name}: __type(name: "author_${name}_fields") { fields { name } }`;
  const { data } = await gateway.ask(
    `{ author_aggregate { aggregate { max { marks } min { marks } } } ${fields('sum')} ${fields('avg')} }`,
  );
  expect(data).toEqual({
    author_aggregate: { aggregate: { max: { marks: [2, 8] }, min: { marks: [1, 7] } } },
    ...Object.fromEntries(
      ['sum', 'avg'].map((name) => [
        name,
        { fields: [{ name: 'id' }, { name: 'name_count' }, { name: 'secret' }] },
      ]),
    ),
  });
});
