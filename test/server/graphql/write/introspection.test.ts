import { buildClientSchema, getIntrospectionQuery, printType, validateSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create type mood as enum ('ok', 'bad');
create table author (
  id integer generated always as identity primary key, name text not null unique, feeling mood, extra jsonb, rank integer, tags text[]
);
comment on column author.name is 'How they sign';
create table article (
  id integer primary key, author_id integer references author, title text, views bigint, slug text unique deferrable, no integer,
  constraint "article no" unique (author_id, no)
);
create table tag (label text);
`;

const metadata = {
  'roles.yaml':
    'roles: { editor: {}, appender: {}, filler: {}, toucher: {}, dropper: {}, changer: {} }\n',
  'tables/author.yaml': `
table: author
permissions:
  editor:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
    delete: { filter: {} }
  appender:
    select: { filter: {}, columns: [id, name] }
    insert: { check: {}, columns: [name] }
  filler:
    insert: { check: {}, columns: [], set: { name: X-Gql-Name } }
  toucher:
    select: { filter: {}, columns: [id] }
    update: { filter: {}, columns: [], set: { rank: 1 } }
  dropper:
    delete: { filter: {} }
  changer:
    select: { filter: {}, columns: [name] }
    update: { filter: {}, columns: [rank, name] }
`,
  'tables/article.yaml': `
table: article
permissions:
  editor:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: [title, views] }
  appender: { select: { filter: {}, columns: [id, author_id] } }
`,
  'tables/tag.yaml': `
table: tag
permissions:
  editor: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' }, update: { filter: {}, columns: '*' } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

/** Returns the GraphQL types that a role sees by name, as SDL without descriptions. */
async function typesOf(role: string) {
  const { data } = await gateway.ask(getIntrospectionQuery({ descriptions: false }), { role });
  const found = buildClientSchema(data as never);
  expect(validateSchema(found)).toEqual([]);
  return (name: string) => {
    const type = found.getType(name);
    return type ? printType(type) : undefined;
  };
}

const sdl = (text: string) => text.replace(/^\n|\n\s*$/g, '').replace(/^ {6}/gm, '');

describe('the type mutation_root', () => {
  test('has all root fields for a role that has insert, update and delete rules', async () => {
    const type = await typesOf('editor');
    expect(type('mutation_root')).toBe(
      sdl(`
      type mutation_root {
        delete_author(where: author_bool_exp!): author_mutation_response
        delete_author_by_pk(id: Int!): author
        insert_article(objects: [article_insert_input!]!, on_conflict: article_on_conflict): article_mutation_response
        insert_article_one(object: article_insert_input!, on_conflict: article_on_conflict): article
        insert_author(objects: [author_insert_input!]!, on_conflict: author_on_conflict): author_mutation_response
        insert_author_one(object: author_insert_input!, on_conflict: author_on_conflict): author
        insert_tag(objects: [tag_insert_input!]!): tag_mutation_response
        insert_tag_one(object: tag_insert_input!): tag
        update_article(_inc: article_inc_input, _set: article_set_input, where: article_bool_exp!): article_mutation_response
        update_article_by_pk(_inc: article_inc_input, _set: article_set_input, pk_columns: article_pk_columns_input!): article
        update_article_many(updates: [article_updates!]!): [article_mutation_response]
        update_author(_append: author_append_input, _delete_at_path: author_delete_at_path_input, _delete_elem: author_delete_elem_input, _delete_key: author_delete_key_input, _inc: author_inc_input, _prepend: author_prepend_input, _set: author_set_input, where: author_bool_exp!): author_mutation_response
        update_author_by_pk(_append: author_append_input, _delete_at_path: author_delete_at_path_input, _delete_elem: author_delete_elem_input, _delete_key: author_delete_key_input, _inc: author_inc_input, _prepend: author_prepend_input, _set: author_set_input, pk_columns: author_pk_columns_input!): author
        update_author_many(updates: [author_updates!]!): [author_mutation_response]
        update_tag(_set: tag_set_input, where: tag_bool_exp!): tag_mutation_response
        update_tag_many(updates: [tag_updates!]!): [tag_mutation_response]
      }`),
    );
  });

  test.each([
    ['appender', ['insert_author', 'insert_author_one']],
    ['filler', ['insert_author']],
    ['toucher', ['update_author', 'update_author_by_pk', 'update_author_many']],
    ['dropper', ['delete_author']],
    ['changer', ['update_author', 'update_author_many']],
  ])('has exactly the fields that the write rules of the role %s allow', async (role, expected) => {
    const { data } = await gateway.ask('{ __type(name: "mutation_root") { fields { name } } }', {
      role,
    });
    expect(data.__type.fields.map(({ name }: { name: string }) => name)).toEqual(expected);
    await typesOf(role);
  });
});

describe('the GraphQL input types of an insert', () => {
  test('equal those of Hasura', async () => {
    const type = await typesOf('editor');
    expect(type('author_insert_input')).toBe(
      sdl(`
      input author_insert_input {
        articles: article_arr_rel_insert_input
        extra: jsonb
        feeling: mood
        name: String
        rank: Int
        tags: [String]
      }`),
    );
    expect(type('article_insert_input')).toBe(
      sdl(`
      input article_insert_input {
        author: author_obj_rel_insert_input
        author_id: Int
        id: Int
        no: Int
        slug: String
        title: String
        views: bigint
      }`),
    );
    expect(type('article_arr_rel_insert_input')).toBe(
      sdl(`
      input article_arr_rel_insert_input {
        data: [article_insert_input!]!
        on_conflict: article_on_conflict
      }`),
    );
    expect(type('author_obj_rel_insert_input')).toBe(
      sdl(`
      input author_obj_rel_insert_input {
        data: author_insert_input!
        on_conflict: author_on_conflict
      }`),
    );
    expect(type('article_on_conflict')).toBe(
      sdl(`
      input article_on_conflict {
        constraint: article_constraint!
        update_columns: [article_update_column!]! = []
        where: article_bool_exp
      }`),
    );
    expect(type('article_constraint')).toBe(
      sdl(`
      enum article_constraint {
        article_no
        article_pkey
      }`),
    );
    expect(type('article_update_column')).toBe(
      sdl(`
      enum article_update_column {
        title
        views
      }`),
    );
    expect(type('author_mutation_response')).toBe(
      sdl(`
      type author_mutation_response {
        affected_rows: Int!
        returning: [author!]!
      }`),
    );
    expect(type('tag_on_conflict')).toBeUndefined();
  });

  test('contain the value _PLACEHOLDER if they would otherwise be empty', async () => {
    const appender = await typesOf('appender');
    expect(appender('author_update_column')).toBe(
      sdl(`
      enum author_update_column {
        _PLACEHOLDER
      }`),
    );
    expect(appender('author_insert_input')).toBe(
      sdl(`
      input author_insert_input {
        name: String
      }`),
    );
    expect(appender('article_insert_input')).toBeUndefined();
    const filler = await typesOf('filler');
    expect(filler('author_insert_input')).toBe(
      sdl(`
      input author_insert_input {
        _PLACEHOLDER: Boolean
      }`),
    );
    expect(filler('author_mutation_response')).toBe(
      sdl(`
      type author_mutation_response {
        affected_rows: Int!
      }`),
    );
  });
});

describe('the GraphQL input types of an update', () => {
  test('equal those of Hasura', async () => {
    const type = await typesOf('editor');
    const inputs = {
      author_inc_input: ['rank: Int'],
      author_append_input: ['extra: jsonb'],
      author_prepend_input: ['extra: jsonb'],
      author_delete_key_input: ['extra: String'],
      author_delete_elem_input: ['extra: Int'],
      author_delete_at_path_input: ['extra: [String!]'],
      author_set_input: [
        'extra: jsonb',
        'feeling: mood',
        'name: String',
        'rank: Int',
        'tags: [String]',
      ],
      author_pk_columns_input: ['id: Int!'],
      article_set_input: ['title: String', 'views: bigint'],
      article_updates: [
        '_inc: article_inc_input',
        '_set: article_set_input',
        'where: article_bool_exp!',
      ],
    };
    for (const [name, fields] of Object.entries(inputs)) {
      expect(type(name)).toBe(
        `input ${name} {\n${fields.map((field) => `  ${field}\n`).join('')}}`,
      );
    }
    expect(type('article_append_input')).toBeUndefined();
  });

  test('contain only columns that the role may update, and in _inc and _append only those that it may also read', async () => {
    const type = await typesOf('changer');
    expect(type('author_set_input')).toBe(
      sdl(`
      input author_set_input {
        name: String
        rank: Int
      }`),
    );
    expect(type('author_inc_input')).toBeUndefined();
    expect(type('author_pk_columns_input')).toBeUndefined();
    expect((await typesOf('toucher'))('author_updates')).toBe(
      sdl(`
      input author_updates {
        where: author_bool_exp!
      }`),
    );
  });
});

describe('descriptions in the GraphQL schema', () => {
  test('of columns also appear on the fields of input types', async () => {
    const { data } = await gateway.ask(
      '{ a: __type(name: "author_insert_input") { inputFields { name description } } b: __type(name: "author_set_input") { inputFields { name description } } }',
    );
    for (const type of [data.a, data.b]) {
      expect(type.inputFields).toContainEqual({ name: 'name', description: 'How they sign' });
    }
  });
});
