import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../support/as-role.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
create table post (id integer primary key);
create table post_stream (id integer primary key);
create function draft_stream() returns setof post stable language sql as 'select * from post';
create table draft (id integer primary key);
`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: { 'roles.yaml': 'roles: {}\n' } });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

function rulesWith(live: boolean) {
  return {
    'roles.yaml': 'roles: {}\n',
    'tables/post.yaml': `table: post\nlive: ${live}\n`,
    'tables/post_stream.yaml': 'table: post_stream\n',
    'tables/draft.yaml': `table: draft\nlive: ${live}\n`,
    'functions/draft_stream.yaml': 'function: draft_stream\n',
  };
}

test('the stream of a live table must not have the name of another field', async () => {
  await made.rewrite(rulesWith(true));
  const { message } = await failureOf(made.prepare());
  expect(message).toMatch(/RG_NAME_CONFLICT .*would both be "post_stream" in GraphQL/);
  expect(message).toMatch(/RG_NAME_CONFLICT .*would both be "draft_stream" in GraphQL/);
});

test('a table that is not live takes no name for a stream', async () => {
  await made.rewrite(rulesWith(false));
  expect((await made.prepare()).loaded.model.tables.size).toBe(3);
});
