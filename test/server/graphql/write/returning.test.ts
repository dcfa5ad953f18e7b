import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf } from '../support/data-of.ts';
import { errorOf } from '../support/error-of.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create table team (id integer primary key, name text, secret boolean not null default false);
create table player (
  id integer primary key, team_id integer references team on delete cascade, name text, points integer default 0, data jsonb
);
`;

const metadata = {
  'roles.yaml': 'roles: { coach: {}, counter: {} }\n',
  'tables/team.yaml': `
table: team
permissions:
  coach:
    select: { filter: { secret: { _eq: false } }, columns: [id, name], allow_aggregations: true }
    delete: { filter: {} }
  counter:
    select: { filter: {}, columns: [], allow_aggregations: true }
    insert: { check: {}, columns: '*' }
`,
  'tables/player.yaml': `
table: player
permissions:
  coach:
    select: { filter: {}, columns: '*', allow_aggregations: true }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
    delete: { filter: {} }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  const owner = await gateway.database.connectOwner();
  await owner.query(`truncate team cascade;
    insert into team values (1, 'red', false), (2, 'blue', true);
    insert into player values (1, 1, 'a', 5, '{"k": [1, 2]}'), (2, 1, 'b', 7, null), (3, 2, 'c', 9, null)`);
  await owner.end();
});

const coach = { role: 'coach' };

async function write(query: string, ask: object = coach) {
  return dataOf(await gateway.ask(query, ask));
}

describe('the result of a write', () => {
  test('shows relationships and aggregates as they are after the write', async () => {
    const query = `mutation { update_player(where: {id: {_lte: 2}}, _inc: {points: 10}) {
      affected_rows
      returning { id team { name players(order_by: {id: desc}, limit: 1) { id points }
        players_aggregate(where: {id: {_gt: 1}}) { aggregate { count sum { points } } nodes { name } } } }
    } }`;
    const team = {
      name: 'red',
      players: [{ id: 2, points: 17 }],
      players_aggregate: { aggregate: { count: 1, sum: { points: 17 } }, nodes: [{ name: 'b' }] },
    };
    expect(await write(query)).toEqual({
      update_player: {
        affected_rows: 2,
        returning: [
          { id: 1, team },
          { id: 2, team },
        ],
      },
    });
  });

  test('contains only related rows that the role may see', async () => {
    const query =
      'mutation { update_player_by_pk(pk_columns: {id: 3}, _set: {name: "x"}) { team_id team { name } } }';
    expect(await write(query)).toEqual({ update_player_by_pk: { team_id: 2, team: null } });
    expect(await write(query, {})).toEqual({
      update_player_by_pk: { team_id: 2, team: { name: 'blue' } },
    });
  });

  test('contains, for a deleted row, the related rows that remain', async () => {
    const query = 'mutation { delete_player_by_pk(id: 1) { name team { name players { id } } } }';
    expect(await write(query)).toEqual({
      delete_player_by_pk: { name: 'a', team: { name: 'red', players: [{ id: 2 }] } },
    });
    const cascade =
      'mutation { delete_team(where: {}) { affected_rows returning { name players { id } } } }';
    expect(await write(cascade)).toMatchObject({
      delete_team: { returning: expect.arrayContaining([{ name: 'red', players: [] }]) },
    });
  });

  test('may contain aliases, arguments, fragments and type names', async () => {
    const query = `
      fragment names on player { called: name ...types }
      fragment types on player { __typename team { kind: __typename } }
      mutation ($p: String) {
        first: update_player_by_pk(pk_columns: {id: 1}, _set: {name: "n"}) { ...names ... on player { data(path: $p) all: data } }
        more: update_player(where: {id: {_eq: 2}}, _set: {name: "m"}) {
          kind: __typename number: affected_rows rows: returning { ...names } again: returning { id } affected_rows
        }
        __typename
      }`;
    expect(await write(query, { ...coach, with: { p: '$.k[1]' } })).toEqual({
      first: {
        called: 'n',
        __typename: 'player',
        team: { kind: 'team' },
        data: 2,
        all: { k: [1, 2] },
      },
      more: {
        kind: 'player_mutation_response',
        number: 1,
        rows: [{ called: 'm', __typename: 'player', team: { kind: 'team' } }],
        again: [{ id: 2 }],
        affected_rows: 1,
      },
      __typename: 'mutation_root',
    });
  });

  test('may contain only type names', async () => {
    const query = `mutation {
      a: update_player(where: {}, _set: {name: "t"}) { __typename }
      b: update_player(where: {id: {_lt: 3}}, _set: {name: "t"}) { returning { __typename } }
      c: delete_player_by_pk(id: 1) { __typename }
    }`;
    expect(await write(query)).toEqual({
      a: { __typename: 'player_mutation_response' },
      b: { returning: [{ __typename: 'player' }, { __typename: 'player' }] },
      c: { __typename: 'player' },
    });
  });

  test('omits fields that @include or @skip excludes', async () => {
    const query = `mutation ($yes: Boolean!) {
      update_player(where: {id: {_eq: 1}}, _inc: {points: 1}) {
        affected_rows @skip(if: $yes) returning @include(if: $yes) { id name @skip(if: $yes) team @include(if: $yes) { id } }
      }
      delete_player(where: {id: {_eq: 2}}) @skip(if: $yes) { affected_rows }
      other: delete_player(where: {id: {_eq: 3}}) @include(if: $yes) { affected_rows }
    }`;
    expect(await write(query, { ...coach, with: { yes: true } })).toEqual({
      update_player: { returning: [{ id: 1, team: { id: 1 } }] },
      other: { affected_rows: 1 },
    });
    expect(await write(query, { ...coach, with: { yes: false } })).toEqual({
      update_player: { affected_rows: 1 },
      delete_player: { affected_rows: 1 },
    });
    expect(await write('{ player { id points } }')).toEqual({ player: [{ id: 1, points: 7 }] });
  });

  test('is an empty object if @skip excludes all root fields', async () => {
    const query = 'mutation { delete_player_by_pk(id: 1) @skip(if: true) { id } }';
    expect(await write(query)).toEqual({});
  });

  test('contains a field once if it is selected several times under the same response key', async () => {
    const query = `mutation {
      delete_player_by_pk(id: 1) { id }
      delete_player_by_pk(id: 1) { name team { id } }
      ... { delete_player_by_pk(id: 1) { team { name } } }
    }`;
    expect(await write(query)).toEqual({
      delete_player_by_pk: { id: 1, name: 'a', team: { id: 1, name: 'red' } },
    });
  });

  test('may have response keys of any length', async () => {
    const long = 'n'.repeat(70);
    const query = `mutation { ${long}: update_player(where: {id: {_eq: 1}}, _set: {name: "l"}) { returning { ${long}: name team { ${long}: name } } } }`;
    expect(await write(query)).toEqual({
      [long]: { returning: [{ [long]: 'l', team: { [long]: 'red' } }] },
    });
  });

  test('is refused if it exceeds the size limit of an answer', async () => {
    const data = 'x'.repeat(100_000);
    const query = `mutation ($d: jsonb) { update_player(where: {}, _set: {data: $d}) {
      returning { ${Array.from({ length: 60 }, (_, i) => `d${i}: data`).join(' ')} } } }`;
    const error = errorOf(await gateway.ask(query, { ...coach, with: { d: data } }));
    expect(error).toMatch(/^size-limit-exceeded /);
    expect(await write('{ player(where: {data: {_eq: "x"}}) { id } }')).toEqual({ player: [] });
  });

  test('is refused if all root fields together exceed the size limit, and the mutation is rolled back', async () => {
    const data = 'x'.repeat(100_000);
    const many = Array.from({ length: 30 }, (_, i) => `d${i}: data`).join(' ');
    const field = `update_player(where: {}, _set: {data: $d}) { returning { ${many} } }`;
    const one = `mutation ($d: jsonb) { ${field} }`;
    const two = `mutation ($d: jsonb) { a: ${field} b: ${field} }`;
    const error = errorOf(await gateway.ask(two, { ...coach, with: { d: data } }));
    expect(error).toMatch(/^size-limit-exceeded /);
    expect(await write('{ player(where: {points: {_lt: 6}}) { data } }')).toEqual({
      player: [{ data: { k: [1, 2] } }],
    });
    const { update_player } = await write(one, { ...coach, with: { d: data } });
    expect(update_player.returning).toHaveLength(3);
  });

  test('is refused if its relationships exceed the size limit', async () => {
    const rows =
      "insert into player (id, name) select i, repeat('x', 100000) from generate_series(100, 300) i";
    const owner = await gateway.database.connectOwner();
    await owner.query(rows);
    const query =
      'mutation { update_player(where: {id: {_gte: 100}}, _set: {points: 1}) { returning { name team { id } } } }';
    expect(errorOf(await gateway.ask(query, coach))).toMatch(/^size-limit-exceeded /);
  });
});

describe('one root field under several aliases', () => {
  test('runs once for each alias, in the order of the document', async () => {
    const query = `mutation {
      a: update_player(where: {id: {_eq: 1}}, _inc: {points: 1}) { returning { points } }
      b: update_player(where: {id: {_eq: 1}}, _inc: {points: 1}) { returning { points } }
      c: insert_player_one(object: {id: 50}) { points }
      d: delete_player(where: {points: {_eq: 7}}) { returning { id } }
    }`;
    const { d, ...rest } = await write(query);
    expect(rest).toEqual({
      a: { returning: [{ points: 6 }] },
      b: { returning: [{ points: 7 }] },
      c: { points: 0 },
    });
    expect(d.returning.map(({ id }: { id: number }) => id).toSorted()).toEqual([1, 2]);
  });
});

describe('a role that may read no column of a table', () => {
  test('gets only affected_rows from its mutations', async () => {
    const counter = { role: 'counter' };
    const query =
      'mutation { insert_team(objects: [{id: 5}, {id: 6}]) { affected_rows __typename } }';
    expect(await write(query, counter)).toEqual({
      insert_team: { affected_rows: 2, __typename: 'team_mutation_response' },
    });
    const one = 'mutation { insert_team_one(object: {id: 7}) { id } }';
    expect(errorOf(await gateway.ask(one, counter))).toBe(
      `validation-failed $.selectionSet.insert_team_one field 'insert_team_one' not found in type: 'mutation_root'; it does not exist or role "counter" has no permission for it`,
    );
    const rows = 'mutation { insert_team(objects: {id: 8}) { returning { id } } }';
    expect(errorOf(await gateway.ask(rows, counter))).toContain(
      "field 'returning' not found in type: 'team_mutation_response'",
    );
  });
});
