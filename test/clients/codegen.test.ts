import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { codegen } from '@graphql-codegen/core';
import * as documentNodePlugin from '@graphql-codegen/typed-document-node';
import * as schemaPlugin from '@graphql-codegen/typescript';
import * as operationsPlugin from '@graphql-codegen/typescript-operations';
import { buildClientSchema, getIntrospectionQuery, parse, printSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Library, openLibrary } from './library.ts';

const root = path.resolve(import.meta.dirname, '../..');
const scalars = { uuid: 'string' };

/** The first lines of a program that uses the generated types. They import the types and declare a query function. */
const preamble = `
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Article_Bool_Exp } from './schema.ts';
import * as made from './operations.ts';
declare function ask<R, V>(document: TypedDocumentNode<R, V>, variables: V): Promise<R>;
export {};
`;

const careful = `
const where: Article_Bool_Exp = { _and: [{ pages: { _gte: 1 } }, { author: { name: { _in: ['Ada'] } } }] };
const { article } = await ask(made.ArticlesDocument, {
  where,
  order: [{ pages: 'desc_nulls_last' }, { author: { name: 'asc' } }],
});
export const titles: string[] = article.map(({ title }) => title);
export const average: number | null | undefined =
  article[0]?.author?.articles_aggregate.aggregate?.avg?.pages;
const written = await ask(made.WriteDocument, {
  articles: [{ author_id: 'x', title: 'y' }],
  conflict: { constraint: 'article_pkey', update_columns: ['title'], where: { pages: { _eq: 1 } } },
});
export const count: number | undefined = written.insert_article?.affected_rows;
const changed = await ask(made.ChangeDocument, { id: 'x', set: { published: true }, more: { pages: 1 } });
export const pages: number | undefined = changed.update_article_by_pk?.pages;
await ask(made.ChangeManyDocument, { updates: [{ where: {}, _set: { title: 'z' } }] });
const removed = await ask(made.RemoveDocument, { where: { id: { _eq: 'x' } } });
export const gone: number | undefined = removed.delete_article?.affected_rows;
`;

let library: Library;
let folder: string;
beforeAll(async () => {
  library = await openLibrary();
  folder = await mkdtemp(path.join(tmpdir(), 'rowgate-codegen-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await generate();
});
afterAll(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

/** Generates types from the schema of a role and from operations, as a project that uses the server does. */
async function generate(): Promise<void> {
  const { body } = await library.server.graphql(getIntrospectionQuery(), library.headers);
  const location = path.join(import.meta.dirname, 'operations.graphql');
  const options = {
    schema: parse(printSchema(buildClientSchema(body.data))),
    documents: [{ location, document: parse(await readFile(location, 'utf8')) }],
    config: { useTypeImports: true, strictScalars: true, scalars },
    pluginMap: { schemaPlugin, operationsPlugin, documentNodePlugin },
  };
  const files = {
    'schema.ts': ['schemaPlugin'],
    'operations.ts': ['operationsPlugin', 'documentNodePlugin'],
  };
  for (const [filename, names] of Object.entries(files)) {
    const plugins = names.map((name) => ({ [name]: {} }));
    await writeFile(path.join(folder, filename), await codegen({ ...options, filename, plugins }));
  }
}

/** Returns the errors of the type checker for a program with the generated types; '' if the program compiles. */
async function complaints(program: string): Promise<string> {
  const file = path.join(folder, 'program.ts');
  await writeFile(file, preamble + program);
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--allowImportingTsExtensions'];
  const args = [compiler, ...options, '--exactOptionalPropertyTypes', '--singleThreaded', file];
  return promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

describe('TypeScript types that GraphQL Code Generator generates for a role', () => {
  test('accept a program that reads and writes within the rules of the role', async () => {
    expect(await complaints(careful)).toBe('');
  });

  test.each([
    ['a column that the role may not write', "articles: [{ written_by: 'me' }]", /written_by/],
    [
      'a constraint that does not exist',
      "articles: [], conflict: { constraint: 'x' }",
      /"article_pkey"/,
    ],
    [
      'a value of the wrong type',
      "articles: [{ pages: 'many' }]",
      /'string' is not assignable to type 'number'/,
    ],
  ])('reject a program that writes %s', async (_title, variables, complaint) => {
    const program = `await ask(made.WriteDocument, { ${variables} });`;
    expect(await complaints(program)).toMatch(complaint);
  });
});
