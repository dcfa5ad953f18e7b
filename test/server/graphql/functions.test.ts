import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, type Gateway, startGateway } from './support/gateway.ts';
import { unlistedTypes } from './support/unlisted-types.ts';

const schema = `
create table track (id int primary key, name text not null, owner text not null, secret text not null default 'hidden', note text);
create table likes (id int primary key, track_id int not null references track, who text not null);
create schema other;
create type other.mood as enum ('calm', 'loud');
insert into track (id, name, owner, secret) values (1, 'Keepup', 'ann', 'a1'), (2, 'Keepdown', 'ann', 'a2'), (3, 'Happy', 'bob', 'b3');
insert into likes values (1, 1, 'ann'), (2, 1, 'bob'), (3, 3, 'bob');
create function search_tracks(search text, at_most int default 10) returns setof track language sql stable
  as $$ select * from track where name ilike '%' || search || '%' order by id desc limit at_most $$;
create function any_track(text, int default 1) returns setof track language sql stable
  as $$ select * from track where name ilike '%' || $1 || '%' and id >= $2 order by id $$;
create function some_tracks(prefix text, int default 2, boolean default true) returns setof track language sql stable
  as $$ select * from track where name like prefix || '%' and $3 order by id limit $2 $$;
create function all_tracks() returns setof track language sql stable as $$ select * from track order by id desc $$;
create function first_track(search text) returns track language sql stable
  as $$ select * from track where name ilike search order by id limit 1 $$;
create function made_up(session json, owner text, "odd name" text default 'x') returns setof track language sql stable
  as $$ select 7, concat(session ->> 'x-gql-role', '/', session ->> 'x-gql-user', '/', "odd name"), owner, 'made up', null::text
        union all select 8, 'other', 'eve', 'made up', null $$;
create function whole_session(session jsonb, owner text) returns setof track language sql stable
  as $$ select 7, session::text, owner, 'made up', null::text $$;
create function whole_session_of(t track, session json) returns json language sql stable as $$ select session $$;
create function rename(session json, track_id int, name text) returns setof track language sql volatile
  as $$ update track t set name = rename.name, note = session ->> 'x-gql-user' where t.id = track_id returning * $$;
create function touch_query(t int) returns setof track language sql volatile
  as $$ update track set note = 'touched' where id = t returning * $$;
create function tick() returns setof track language plpgsql volatile
  as $$ begin return query select t.id, t.name, t.owner, clock_timestamp()::text, t.note from track t where t.id = 1; end $$;
create function fails(what text) returns setof track language plpgsql stable
  as $$ begin raise exception 'secret of bob: %', (select secret from track where id = 3) using errcode = what; end $$;
create domain positive as int check (value > 0);
create function exceeds(what text) returns setof track language plpgsql stable as $$ begin
  if what = '54000' then perform array_fill(1, '{1,1,1,1,1,1,1}');
  elsif what = '54001' then return query select * from exceeds(what);
  elsif what = '54011' then execute (select 'select ' || string_agg('1', ',') from generate_series(1, 1700));
  else perform (-1)::positive; end if; end $$;
create function refuse(what text) returns setof track language plpgsql volatile
  as $$ begin perform 1 / 0; end $$;
create function by_types(list int[], doc jsonb, mood other.mood, one track default null, moods other.mood[] default '{}') returns setof track language sql stable
  as $$ select * from track where id = any (list) or name = doc ->> 'name' or (mood = 'loud' and id = 2) or id = (one).id or 'calm' = any (moods) order by id $$;
create function own_tracks(prefix text default '') returns setof track language sql stable
  as $$ select * from track where name like prefix || '%' order by id $$;
create function definer_tracks() returns setof track language sql stable security definer set search_path = public, pg_temp
  as $$ select * from track order by id $$;
create function likes_of(t track, by_whom text default '') returns setof likes language sql stable
  as $$ select * from likes where track_id = t.id and who like by_whom || '%' order by id $$;
create function like_count(t track) returns bigint language sql stable as $$ select count(*) from likes where track_id = t.id $$;
create function labelled(t track, before text default '<', after text default '>') returns text language sql stable
  as $$ select before || t.name || t.secret || after $$;
create function asks(t track, session jsonb, more int default 0) returns text language sql stable
  as $$ select concat(session ->> 'x-gql-user', '-', t.id + more) $$;
create function own_label(t track) returns text language sql stable as $$ select t.name || t.secret $$;
create function title_of(t track) returns text language sql stable as $$ select t.name || t.secret $$;
create function liked_track(l likes) returns setof track language sql stable as $$ select * from track where id = l.track_id $$;
create function note_one(t int, said text) returns track language sql volatile
  as $$ update track set note = said where id = t returning * $$;
create function add_like(track_id int, who text) returns setof track language plpgsql volatile as $$ begin
  insert into likes select max(id) + 1, add_like.track_id, add_like.who from likes;
  insert into track (id, name, owner) values (10 + add_like.track_id, 'New', add_like.who);
  return query select * from track where id in (add_like.track_id, 10 + add_like.track_id) order by id; end $$;
revoke execute on all functions in schema public from public;
grant usage on schema other to public;
`;

const ownerFails =
  'a value does not suit its type, or a function of the database fails on its values';
const owner = (text: string) => `${text}\nrights: owner\n`;
const metadata = {
  'roles.yaml': `roles:
  artist: {}
  counter: {}
  whole: {}
  every: {}
  nobody: {}
  inheriting: { inherits: [artist, counter] }
  whole_inheriting: { inherits: [whole, every] }
`,
  'tables/track.yaml': `table: track
computed_fields:
  like_count: { function: like_count, rights: owner }
  labelled: { function: labelled, rights: owner }
  asks: { function: asks, session_argument: session, rights: owner }
  whole_session_of: { function: whole_session_of, session_argument: session }
  likes_of: { function: likes_of, rights: owner }
  own_label: { function: own_label }
  titled: { function: title_of }
permissions:
  artist: { select: { filter: { owner: X-Gql-User }, columns: [name, owner], computed_fields: [like_count, labelled, asks], limit: 1 } }
  counter: { select: { filter: {}, columns: [id, name], allow_aggregations: true } }
  whole: { select: { filter: { owner: X-Gql-User }, columns: '*', computed_fields: [own_label, titled, whole_session_of] } }
  every: { select: { filter: {}, columns: '*', allow_aggregations: true } }
`,
  'tables/likes.yaml': `table: likes
computed_fields: { liked: { function: liked_track } }
permissions:
  whole: { select: { filter: {}, columns: '*' } }
  artist: { select: { filter: { who: X-Gql-User }, columns: [id, who, track_id] } }
  counter: { select: { filter: {}, columns: [id, track_id], allow_aggregations: true } }
`,
  'functions/search_tracks.yaml': owner(`function: search_tracks
permissions: [artist, counter]
graphql: { root_fields: { function_aggregate: { name: count_tracks, description: How many } } }`),
  'functions/any_track.yaml': owner('function: any_track\npermissions: [counter]'),
  'functions/some_tracks.yaml': owner('function: some_tracks\npermissions: [counter]'),
  'functions/all_tracks.yaml': owner('function: public.all_tracks\npermissions: [artist, counter]'),
  'functions/first_track.yaml': owner('function: first_track\npermissions: [artist, counter]'),
  'functions/made_up.yaml': owner(
    'function: made_up\nsession_argument: session\npermissions: [artist]',
  ),
  'functions/whole_session.yaml': owner(
    'function: whole_session\nsession_argument: session\npermissions: [artist]',
  ),
  'functions/rename.yaml': owner(
    'function: rename\nsession_argument: session\npermissions: [artist]',
  ),
  'functions/add_like.yaml': owner('function: add_like\npermissions: [artist]'),
  'functions/note_one.yaml': owner('function: note_one\npermissions: [counter]'),
  'functions/touch_query.yaml': owner(
    'function: touch_query\nexposed_as: query\npermissions: [counter]',
  ),
  'functions/tick.yaml': owner(
    'function: tick\nexposed_as: query\npermissions: [counter]\ngraphql: { name: tock }',
  ),
  'functions/fails.yaml': owner('function: fails\npermissions: [artist]'),
  'functions/exceeds.yaml': owner('function: exceeds\npermissions: [artist]'),
  'functions/refuse.yaml': owner('function: refuse\npermissions: [artist]'),
  'functions/by_types.yaml': owner('function: by_types\npermissions: [counter]'),
  'functions/own_tracks.yaml': 'function: own_tracks\npermissions: [whole, artist]\n',
  'functions/definer_tracks.yaml': owner('function: definer_tracks\npermissions: [artist]'),
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const ann: Ask = { role: 'artist', variables: { User: 'ann' } };
const counter: Ask = { role: 'counter' };

/** Returns the data of a successful query. */
async function dataOf(query: string, ask: Ask) {
  const { data, errors } = await gateway.ask(query, ask);
  expect(errors).toBeUndefined();
  return data;
}

/** Returns message, code and path of the first error. */
async function errorOf(query: string, ask: Ask) {
  const { errors } = await gateway.ask(query, ask);
  return [errors?.[0]?.message, errors?.[0]?.extensions.code, errors?.[0]?.extensions.path];
}

describe('a database function that is a root field of queries', () => {
  test("returns only the rows and columns that the role's select rule for the table allows", async () => {
    const query = '{ search_tracks(args: { search: "p" }) { name owner } }';
    // The filter shows ann two of the three found rows, and the rule's limit reduces them to one.
    expect(await dataOf(query, ann)).toEqual({
      search_tracks: [{ name: 'Keepdown', owner: 'ann' }],
    });
    const hidden = '{ search_tracks(args: { search: "p" }) { secret } }';
    expect((await errorOf(hidden, ann))[0]).toMatch("field 'secret' not found in type: 'track'");
  });

  test('takes where, order_by, limit, offset and distinct_on', async () => {
    const query = `{ all_tracks(where: { name: { _like: "K%" } }, order_by: { name: asc }, offset: 1) { name }
      one: all_tracks(limit: 1) { id } apart: all_tracks(distinct_on: name, order_by: { name: asc }) { id } }`;
    expect(await dataOf(query, counter)).toEqual({
      all_tracks: [{ name: 'Keepup' }],
      one: [{ id: 3 }],
      apart: [{ id: 3 }, { id: 2 }, { id: 1 }],
    });
  });

  test('accepts distinct_on with columns that order_by does not name', async () => {
    const query = '{ all_tracks(distinct_on: [owner, name], order_by: { owner: asc }) { id } }';
    expect((await dataOf(query, {})).all_tracks).toEqual([{ id: 2 }, { id: 1 }, { id: 3 }]);
  });

  test('returns related rows', async () => {
    const query =
      '{ search_tracks(args: { search: "Keepup" }) { id likeses_aggregate { aggregate { count } } } }';
    expect(await dataOf(query, counter)).toEqual({
      search_tracks: [{ id: 1, likeses_aggregate: { aggregate: { count: 2 } } }],
    });
  });

  test('has an aggregate field, under the configured name, only for a role with allow_aggregations', async () => {
    const query =
      '{ count_tracks(args: { search: "keep" }, limit: 1) { aggregate { count max { name } } nodes { id } } }';
    expect(await dataOf(query, counter)).toEqual({
      count_tracks: { aggregate: { count: 1, max: { name: 'Keepdown' } }, nodes: [{ id: 2 }] },
    });
    expect((await errorOf(query, ann))[0]).toMatch("field 'count_tracks' not found");
  });

  test('is called once when its aggregate field returns both aggregated values and rows', async () => {
    const query = '{ tock_aggregate { aggregate { max { name } count } nodes { name } } }';
    const { tock_aggregate: one } = await dataOf(query, counter);
    expect(one.nodes).toEqual([one.aggregate.max]);
  });

  test('that returns a single row returns an object, or null if there is no row or the role may not see it', async () => {
    const query =
      '{ first_track(args: { search: "keep%" }) { name } none: first_track(args: { search: "z" }) { name } }';
    expect(await dataOf(query, counter)).toEqual({ first_track: { name: 'Keepup' }, none: null });
    const limited =
      '{ a: first_track(args: { search: "k%" }, limit: 0) { name } b: first_track(args: { search: "k%" }, limit: 9) { name } }';
    expect(await dataOf(limited, counter)).toEqual({ a: null, b: { name: 'Keepup' } });
    const others = '{ first_track(args: { search: "happy" }) { name } }';
    expect(await dataOf(others, ann)).toEqual({ first_track: null });
  });

  test('is refused if it tries to write, since a query is read-only', async () => {
    expect(await errorOf('{ touch_query(args: { t: 1 }) { id } }', counter)).toEqual([
      'a query changes nothing, and this one calls a function that would',
      'not-supported',
      '$',
    ]);
  });

  test('returns rows that the function makes up, without a table, also only as the select rule allows', async () => {
    const query = '{ made_up(args: { owner: "ann" }) { name owner } }';
    const made = [{ name: 'artist/ann/x', owner: 'ann' }];
    expect(await dataOf(query, ann)).toEqual({ made_up: made });
  });

  test('exists only for the roles listed in its metadata file, and for admin', async () => {
    const query = '{ all_tracks { id } }';
    expect((await errorOf(query, { role: 'nobody' }))[0]).toMatch("field 'all_tracks' not found");
    expect((await dataOf(query, {})).all_tracks).toHaveLength(3);
  });

  test('runs with the rights of the caller unless it is SECURITY DEFINER', async () => {
    const bob = { role: 'whole', variables: { User: 'bob' } };
    expect(await dataOf('{ own_tracks { name secret } }', bob)).toEqual({
      own_tracks: [{ name: 'Happy', secret: 'b3' }],
    });
  });

  test('that runs with the rights of the caller is absent for a role that may read only some columns of the table', async () => {
    const [message] = await errorOf('{ own_tracks { name } }', ann);
    expect(message).toMatch("field 'own_tracks' not found in type: 'query_root'");
  });

  test('that is SECURITY DEFINER returns no rows or columns beyond the select rule of the caller', async () => {
    expect(await dataOf('{ definer_tracks(order_by: { name: asc }) { name } }', ann)).toEqual({
      definer_tracks: [{ name: 'Keepdown' }],
    });
  });
});

describe('the session argument of a function', () => {
  const expected = (role: string, user: string, more: Readonly<Record<string, string>>) => ({
    'x-gql-role': role,
    'x-gql-user': user,
    ...more,
  });

  test.each([{ City: 'Zürich' }, { City: 'Rome', 'Some-Thing_else': '"{' }, {}])(
    'holds every session variable of the request and nothing else, with the rights of an owner: %j',
    async (more) => {
      const variables = { User: 'ann', ...more, Debug: 'false' };
      const headers = { role: 'artist', variables: utf8(variables) };
      const { whole_session } = await dataOf(
        '{ whole_session(args: { owner: "ann" }) { name } }',
        headers,
      );
      expect(JSON.parse(whole_session[0].name)).toEqual(expected('artist', 'ann', lower(more)));
    },
  );

  test.each([{ City: 'Rome' }, { City: 'Paris' }, { Role_: 'x' }])(
    'holds every session variable of the request for a function with the rights of its caller: %j',
    async (more) => {
      const headers = { role: 'whole', variables: { User: 'bob', ...more } };
      const { track } = await dataOf('{ track { whole_session_of } }', headers);
      expect(track).toEqual([{ whole_session_of: expected('whole', 'bob', lower(more)) }]);
    },
  );
});

/** Encodes values as HTTP headers carry UTF-8. */
function utf8(variables: Readonly<Record<string, string>>) {
  const entries = Object.entries(variables);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}

function lower(variables: Readonly<Record<string, string>>) {
  const entries = Object.entries(variables);
  return Object.fromEntries(entries.map(([name, value]) => [`x-gql-${name.toLowerCase()}`, value]));
}

describe('arguments of a database function', () => {
  test('keep their defaults when they are omitted', async () => {
    const query =
      'query ($from: Int) { any_track(args: { arg_1: "e", arg_2: $from }) { id } all: any_track(args: { arg_1: "e" }) { id } }';
    expect(await dataOf(query, counter)).toEqual({
      any_track: [{ id: 1 }, { id: 2 }],
      all: [{ id: 1 }, { id: 2 }],
    });
    const from = { ...counter, with: { from: 2 } };
    expect((await dataOf(query, from)).any_track).toEqual([{ id: 2 }]);
  });

  test('may be null, which passes null instead of the default', async () => {
    const query =
      '{ any_track(args: { arg_1: "e", arg_2: null }) { id } none: any_track(args: { arg_1: null }) { id } }';
    expect(await dataOf(query, counter)).toEqual({ any_track: [], none: [] });
  });

  test('without a default cannot be omitted', async () => {
    expect(await errorOf('{ search_tracks(args: { at_most: 1 }) { name } }', counter)).toEqual([
      'Non default arguments cannot be omitted',
      'not-supported',
      '$.selectionSet.search_tracks.args.args',
    ]);
    expect((await errorOf('{ search_tracks { name } }', counter))[0]).toBe(
      "missing required field 'args'",
    );
  });

  test('without names are called arg_1, arg_2 and so on, counting only those without names', async () => {
    const query = '{ some_tracks(args: { prefix: "Keep", arg_1: 1, arg_2: true }) { name } }';
    expect((await dataOf(query, counter)).some_tracks).toEqual([{ name: 'Keepup' }]);
  });

  test.each([
    ['prefix: "K", arg_2: true', 'Only last set of positional arguments can be omitted'],
    ['arg_2: true', 'Non default arguments cannot be omitted'],
  ])(
    'without names are refused after an omitted argument without a name: %s',
    async (args, message) => {
      const path = '$.selectionSet.some_tracks.args.args';
      expect(await errorOf(`{ some_tracks(args: { ${args} }) { name } }`, counter)).toEqual([
        ...[message, 'not-supported', path],
      ]);
    },
  );

  test('have input types whose names cannot conflict with the types of tables', async () => {
    expect(await unlistedTypes(gateway)).toEqual([]);
  });

  test('may be arrays, JSON, enums and rows of tables', async () => {
    const query = '{ by_types(args: { list: [1], doc: { name: "Happy" }, mood: loud }) { id } }';
    expect(await dataOf(query, counter)).toEqual({ by_types: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    const row =
      '{ by_types(args: { list: null, doc: null, mood: null, one: "(3,,,,)", moods: [calm] }) { id } }';
    expect((await dataOf(row, counter)).by_types).toHaveLength(3);
    const object =
      '{ by_types(args: { list: null, doc: null, mood: null, one: { id: 3 } }) { id } }';
    expect((await dataOf(object, counter)).by_types).toEqual([{ id: 3 }]);
  });

  test.each([
    ['search_tracks(args: { search: 1 })', '$.selectionSet.search_tracks.args.args.search'],
    [
      'search_tracks(args: { search: "a", at_most: "b" })',
      '$.selectionSet.search_tracks.args.args.at_most',
    ],
    ['search_tracks(args: { find: "a" })', '$.selectionSet.search_tracks.args.args'],
    [
      'by_types(args: { list: [], doc: null, mood: other })',
      '$.selectionSet.by_types.args.args.mood',
    ],
  ])('that are invalid are refused with the path of the mistake: %s', async (field, path) => {
    const [, code, place] = await errorOf(`{ ${field} { name } }`, counter);
    expect([code, String(place).slice(0, path.length)]).toEqual(['validation-failed', path]);
  });

  test('with names that are invalid in GraphQL get valid names', async () => {
    const query = '{ made_up(args: { owner: "ann", odd_name: "y" }) { name } }';
    expect(await dataOf(query, ann)).toEqual({ made_up: [{ name: 'artist/ann/y' }] });
  });
});

describe('a database function that is a root field of mutations', () => {
  test('runs in the order of the document with other mutation fields, in one transaction', async () => {
    const query = `mutation {
      first: rename(args: { track_id: 1, name: "New" }) { name owner }
      again: rename(args: { track_id: 1, name: "Keepup" }) { name }
    }`;
    expect(await dataOf(query, ann)).toEqual({
      first: [{ name: 'New', owner: 'ann' }],
      again: [{ name: 'Keepup' }],
    });
  });

  test('is rolled back if a later field of the operation fails', async () => {
    const query = `mutation { rename(args: { track_id: 2, name: "Gone" }) { name } refuse(args: { what: "22012" }) { name } }`;
    expect((await errorOf(query, ann)).slice(0, 2)).toEqual([ownerFails, 'data-exception']);
    expect(await dataOf('{ all_tracks(where: { id: { _eq: 2 } }) { name } }', counter)).toEqual({
      all_tracks: [{ name: 'Keepdown' }],
    });
  });

  test.each([
    'rename(args: { track_id: 2, name: "ran" }, limit: 0) { id: name }',
    'rename(args: { track_id: 2, name: "ran" }, where: { _or: [] }) { id: name }',
    'rename(args: { track_id: 2, name: "ran" }, offset: 1) { id: name }',
  ])('runs and writes even if its arguments exclude all result rows: %s', async (field) => {
    expect(await dataOf(`mutation { ${field} }`, ann)).toEqual({ rename: [] });
    const back = 'mutation { rename(args: { track_id: 2, name: "Keepdown" }) { name } }';
    const now = '{ all_tracks(where: { name: { _eq: "ran" } }) { id } }';
    expect(await dataOf(now, counter)).toEqual({ all_tracks: [{ id: 2 }] });
    expect(await dataOf(back, ann)).toEqual({ rename: [{ name: 'Keepdown' }] });
  });

  test('that returns a single row runs and writes even if its arguments exclude this row', async () => {
    const field = (said: string, shown: string) =>
      `mutation { note_one(args: { t: 1, said: "${said}" }, ${shown}) { id } }`;
    expect(await dataOf(field('one', 'offset: 1'), counter)).toEqual({ note_one: null });
    const noted = '{ track(where: { id: { _eq: 1 } }) { note } }';
    expect(await dataOf(noted, {})).toEqual({ track: [{ note: 'one' }] });
    expect(await dataOf(field('two', 'where: { _or: [] }'), counter)).toEqual({ note_one: null });
    expect(await dataOf(noted, {})).toEqual({ track: [{ note: 'two' }] });
  });

  describe('that also writes related rows', () => {
    afterEach(async () => {
      const owner = await gateway.database.connectOwner();
      await owner.query('delete from likes where id > 3; delete from track where id > 3');
    });
    const liked = (args: string, fields: string) =>
      `mutation { add_like(args: { track_id: 1, who: "ann" }${args}) { ${fields} } }`;

    test('returns the state after its changes', async () => {
      const query = liked('', 'id like_count labelled likes_of { id }');
      expect(await dataOf(query, {})).toEqual({
        add_like: [
          {
            id: 1,
            like_count: 3,
            labelled: '<Keepupa1>',
            likes_of: [{ id: 1 }, { id: 2 }, { id: 4 }],
          },
          { id: 11, like_count: 0, labelled: '<Newhidden>', likes_of: [] },
        ],
      });
    });

    test('applies where and order_by to the state after its changes', async () => {
      const args = ', where: { like_count: { _is_null: false } }, order_by: { like_count: asc }';
      expect(await dataOf(liked(args, 'id'), {})).toEqual({
        add_like: [{ id: 11 }, { id: 1 }],
      });
    });

    test('returns to an inheriting role the columns that one of its parent roles may read', async () => {
      const inheriting = { role: 'inheriting', variables: { User: 'ann' } };
      const fields = 'id name owner like_count likes_of { id }';
      expect(await dataOf(liked(', order_by: { id: desc }', fields), inheriting)).toEqual({
        add_like: [{ id: 11, name: 'New', owner: 'ann', like_count: 0, likes_of: [] }],
      });
    });
  });

  test('is not a root field of queries, and has no aggregate field', async () => {
    const [message] = await errorOf('{ rename(args: { track_id: 1, name: "x" }) { name } }', ann);
    expect(message).toMatch("field 'rename' not found in type: 'query_root'");
    const aggregate = 'mutation { rename_aggregate { aggregate { count } } }';
    expect((await errorOf(aggregate, {}))[0]).toMatch("field 'rename_aggregate' not found");
  });

  test('returns no rows that the select rule hides', async () => {
    const query = 'mutation { rename(args: { track_id: 3, name: "Happy" }) { name } }';
    expect(await dataOf(query, ann)).toEqual({ rename: [] });
  });
});

test.each(['22012', 'P0001', '42501', '23505', '22P02'])(
  'an error %s raised by a function is reported without its text',
  async (code) => {
    const [message] = await errorOf(`{ fails(args: { what: "${code}" }) { name } }`, ann);
    expect(message).not.toMatch(/b3|bob|track/);
    expect(message).not.toBeUndefined();
  },
);

test.each([
  ['54000', `data-exception ${ownerFails}`],
  ['54001', 'depth-limit-exceeded the operation, or a function that it calls, is nested deeper'],
  ['54011', 'size-limit-exceeded the answer would be larger than'],
])(
  'the Postgres error %s (a limit exceeded inside a function) is reported as the limit that it concerns',
  async (code, expected) => {
    const [message, kind] = await errorOf(`{ exceeds(args: { what: "${code}" }) { name } }`, ann);
    expect(`${kind} ${message}`).toContain(expected);
  },
);

test.each([
  ['fails', 'P0001', 'data-exception a function or trigger of the database refuses this'],
  // The function itself raises these codes, so the gateway must not report them as a timeout or as a lost connection.
  ...[
    '22012',
    '23505',
    '25006',
    '40001',
    '55P03',
    '54001',
    '57014',
    '57P01',
    '08006',
    '53300',
    'XX000',
    'AB123',
  ].map((code) => [
    'fails',
    code,
    'data-exception a function or trigger of the database refuses this',
  ]),
  // A cast inside the function violates the check of a domain.
  ['exceeds', '23514', `data-exception ${ownerFails}`],
])(
  'an error that a database function or domain raises is reported as data-exception and not logged as a server error: %s by %s',
  async (name, code, expected) => {
    const logged = gateway.log.length;
    const [message, kind] = await errorOf(`{ ${name}(args: { what: "${code}" }) { name } }`, ann);
    expect(`${kind} ${message}`).toBe(expected);
    expect(gateway.log.slice(logged).join()).not.toMatch(/"level":50|b3/);
  },
);

test('admin gets the message of an error that a database function raises', async () => {
  expect(await errorOf('{ fails(args: { what: "P0001" }) { name } }', {})).toEqual([
    'secret of bob: b3',
    'data-exception',
    '$',
  ]);
});

test.each(['row', 'size'])(
  "an error whose text imitates that of Rowgate's %s limit, but is raised by a database function, is reported as data-exception",
  async (limit) => {
    const owner = await gateway.database.connectOwner();
    await owner.query("update track set secret = $1 || ' limit 1' where id = 3", [
      `rowgate ${limit}`,
    ]);
    const kinds = [];
    for (const code of ['22P02', '22012', 'P0001']) {
      kinds.push((await errorOf(`{ fails(args: { what: "${code}" }) { name } }`, ann))[1]);
    }
    await owner.query("update track set secret = 'b3' where id = 3");
    expect(kinds).toEqual(['data-exception', 'data-exception', 'data-exception']);
  },
);

test('a call of a database function is reported as a conflict to retry if apply has just removed the call function or its grant', async () => {
  const superuser = await gateway.database.connectSuperuser();
  const { rows } = await superuser.query(
    "select oid::regprocedure as name from pg_proc where pronamespace = 'rowgate_api'::regnamespace and proname like 'function!_%' escape '!'",
  );
  const each = async (change: string) => {
    for (const { name } of rows) await superuser.query(change.replace('$', name));
    return errorOf('{ search_tracks(args: { search: "p" }) { name } }', ann);
  };
  const role = `"rowgate_${gateway.database.name}_artist"`;
  const refused = await each(`revoke execute on function $ from ${role}`);
  const gone = await each('alter function $ set schema public');
  await superuser.query('begin');
  for (const { name } of rows) {
    const moved = String(name).replace('rowgate_api', 'public');
    await superuser.query(`alter function ${moved} set schema rowgate_api`);
  }
  await superuser.query('commit');
  await gateway.apply();
  const message = 'the rules have just changed, or are not applied yet; try again';
  expect([refused, gone]).toEqual([
    [message, 'conflict', '$'],
    [message, 'conflict', '$'],
  ]);
  expect(
    (await dataOf('{ search_tracks(args: { search: "p" }) { name } }', ann)).search_tracks,
  ).toHaveLength(1);
});

test('an inheriting role may call the functions of its parent roles, and sees in each row the columns that one of them may read', async () => {
  const inheriting = { role: 'inheriting', variables: { User: 'bob' } };
  const row = (id: number) =>
    `(where: { id: { _eq: ${id} } }) { id name owner like_count labelled likes_of { id } }`;
  const query = `{ own: all_tracks${row(3)} other: all_tracks${row(1)} }`;
  const happy = { id: 3, name: 'Happy', owner: 'bob', like_count: 1, labelled: '<Happyb3>' };
  const keepup = { id: 1, name: 'Keepup', owner: null, like_count: null, labelled: null };
  expect(await dataOf(query, inheriting)).toEqual({
    own: [{ ...happy, likes_of: [{ id: 3 }] }],
    other: [{ ...keepup, likes_of: [{ id: 1 }, { id: 2 }] }],
  });
});

// Postgres reads `row.f` as `f(row)` when no column is named f. In this way, a computed field of a masked row must not
// bypass the mask.
describe.each(['own_label', 'titled'])(
  'a computed field that depends on a masked column: %s',
  (field) => {
    const inheriting = { role: 'whole_inheriting', variables: { User: 'bob' } };
    const shown = [{ value: null }, { value: null }, { value: 'Happyb3' }];

    test('is null in masked rows that a function with the rights of the caller returns', async () => {
      const rows = `(order_by: { id: asc }) { value: ${field} }`;
      expect(await dataOf(`{ track${rows} own_tracks${rows} }`, inheriting)).toEqual({
        track: shown,
        own_tracks: shown,
      });
    });

    test('is null for masked rows in conditions and aggregates', async () => {
      const query = `{ own_tracks(where: { ${field}: { _is_null: false } }) { id }
      own_tracks_aggregate { aggregate { min { ${field} } } } }`;
      expect(await dataOf(query, inheriting)).toEqual({
        own_tracks: [{ id: 3 }],
        own_tracks_aggregate: { aggregate: { min: { [field]: 'Happyb3' } } },
      });
    });

    test('is null in masked rows that another computed field returns', async () => {
      const query = `{ likes(order_by: { id: asc }) { liked { value: ${field} } }
      found: likes(where: { liked: { ${field}: { _is_null: false } } }) { id } }`;
      expect(await dataOf(query, inheriting)).toEqual({
        likes: [0, 1, 2].map((index) => ({ liked: [shown[index === 2 ? 2 : 0]] })),
        found: [{ id: 3 }],
      });
    });
  },
);

describe('a computed field whose function runs with the rights of its owner (SECURITY DEFINER)', () => {
  test('is computed from the whole row even if the role may read only some columns', async () => {
    const query =
      '{ track(where: { name: { _eq: "Keepup" } }) { like_count labelled(args: { after: "!" }) asks(args: { more: 1 }) asked: asks } }';
    expect(await dataOf(query, ann)).toEqual({
      track: [{ like_count: 2, labelled: '<Keepupa1!', asks: 'ann-2', asked: 'ann-1' }],
    });
  });

  test("that returns rows omits those that the role's select rule hides", async () => {
    const query =
      '{ track(where: { name: { _eq: "Keepup" } }) { likes_of { id who } none: likes_of(args: { by_whom: "b" }) { id } } }';
    expect(await dataOf(query, ann)).toEqual({
      track: [{ likes_of: [{ id: 1, who: 'ann' }], none: [] }],
    });
  });

  test('can be used in where and order_by, with the defaults of its arguments', async () => {
    const query =
      '{ track(where: { labelled: { _like: "<Keep%" }, likes_of: { id: { _gt: 0 } } }, order_by: { labelled: asc }) { name } }';
    expect(await dataOf(query, ann)).toEqual({ track: [{ name: 'Keepup' }] });
  });

  test('can be selected in rows that another function returns', async () => {
    const query = '{ search_tracks(args: { search: "Keepup" }) { labelled likes_of { who } } }';
    expect(await dataOf(query, ann)).toEqual({
      search_tracks: [{ labelled: '<Keepupa1>', likes_of: [{ who: 'ann' }] }],
    });
  });

  test('can be aggregated, also with arguments', async () => {
    const query =
      '{ track_aggregate { aggregate { sum { like_count } max { labelled(args: { before: "#" }) } min { name } } } }';
    expect(await dataOf(query, {})).toEqual({
      track_aggregate: {
        aggregate: {
          sum: { like_count: 3 },
          max: { labelled: '#Keepupa1>' },
          min: { name: 'Happy' },
        },
      },
    });
  });

  test('that returns rows can be used in order_by through the aggregate of these rows', async () => {
    const query =
      '{ track(order_by: [{ likes_of_aggregate: { count: desc } }, { likes_of_aggregate: { max: { id: asc } } }]) { id } }';
    expect(await dataOf(query, {})).toEqual({ track: [{ id: 1 }, { id: 3 }, { id: 2 }] });
  });
});
