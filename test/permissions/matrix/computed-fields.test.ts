import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildMatrix, type Matrix } from '../../../permissions/matrix/build-matrix.ts';
import { findColumn, usesOfColumn } from '../../../permissions/matrix/find-column.ts';
import { matrixHtml } from '../../../permissions/matrix/output/html.ts';
import { wordsText } from '../../../permissions/matrix/output/text.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
  create table note (id int primary key, body text);
  create table secret (id int primary key);
  create function size(n note) returns int language sql stable begin atomic select length(n.body); end;
  create function secrets(n note) returns setof secret language sql stable begin atomic select s.* from secret s; end;`;

const rules = {
  'roles.yaml': 'roles: { a: {}, b: {}, both: { inherits: [a, b] } }\n',
  'tables/secret.yaml':
    'table: secret\npermissions:\n  a: { select: { columns: [id], filter: {} } }\n',
  'tables/note.yaml': `table: note
computed_fields: { size: { function: size }, secrets: { function: secrets, rights: owner } }
permissions:
  a: { select: { columns: [id, body], computed_fields: [size], filter: { body: "two\\nlines" } } }
  b: { select: { columns: [id], filter: {} } }
`,
};

let made: Installation;
let matrix: Matrix;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules });
  matrix = buildMatrix(await made.model());
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

const usersOf = (column: string) =>
  usesOfColumn(matrix, findColumn(`note.${column}`, matrix)).map(({ entry }) => entry.role);

test('the matrix shows which roles may read a computed field', () => {
  expect(usersOf('size()')).toEqual(['a', 'both']);
});

test('the matrix shows which roles may read the rows of a computed field', () => {
  expect(usersOf('secrets()')).toContain('a');
});

test('the words of a rule contain its computed fields', () => {
  expect(wordsText(matrix).join('\n')).toContain('size()');
});

test('a line break in a condition leaves each column of the page its own condition', () => {
  const page = matrixHtml(matrix, 'Permissions');
  const [, data = ''] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  const { entries, texts } = JSON.parse(data);
  const [, , , , columns, rows] = entries[0];
  expect(texts[columns]).toEqual(['id', 'body', 'size()', 'secrets()']);
  expect(new Set(texts[rows])).toEqual(new Set(["rows where body is 'two\nlines'"]));
  expect(texts[rows]).toHaveLength(texts[columns].length);
});
