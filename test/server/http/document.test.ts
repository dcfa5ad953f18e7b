import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { makeDocsEndpoints } from '../../../server/http/docs/docs-endpoints.ts';
import type { ApiOperation } from '../../../server/http/endpoint/api-operation.ts';
import { inCookie, inHeader } from '../../../server/http/endpoint/security-scheme.ts';
import { makeDocument } from '../../../server/http/openapi/document.ts';
import { documentsTag } from '../../../server/platform/api-tags.ts';
import { startApp } from './support/app.ts';

const noteSchema = Type.Object(
  { title: Type.String(), kind: Type.Literal('note', { title: 'Kind' }) },
  { title: 'Note' },
);

const session = { name: 'session', object: inCookie('sid', 'A cookie') };
const key = { name: 'apiKey', object: inHeader('X-Key', 'A key') };

const reading: ApiOperation = {
  method: 'get',
  path: '/notes/{noteId}',
  operationId: 'readNote',
  tag: documentsTag,
  summary: 'read a note',
  schemes: [session, key],
  params: Type.Object({ noteId: Type.String({ description: 'Which' }) }),
  query: Type.Object({ language: Type.Optional(Type.String()), on: Type.String() }),
  headers: { 'X-Gql-Role': 'The role' },
  answers: {
    200: {
      description: 'The note',
      content: { 'application/json': noteSchema, 'application/pdf': 'binary' },
      headers: { ETag: 'Its version' },
    },
  },
};

const documentOf = (...operations: readonly ApiOperation[]) =>
  makeDocument({ operations, baseUrl: 'https://api.example.com' });

describe('the generated OpenAPI document', () => {
  test('describes the parameters, security and answers of an operation', () => {
    const text = { type: 'string' };
    expect(documentOf(reading)).toMatchObject({
      paths: {
        '/notes/{noteId}': {
          get: {
            operationId: 'readNote',
            security: [{ session: [] }, { apiKey: [] }],
            parameters: [
              { in: 'path', name: 'noteId', required: true, schema: text, description: 'Which' },
              { in: 'query', name: 'language', required: false, schema: text },
              { in: 'query', name: 'on', required: true, schema: text },
              { in: 'header', name: 'X-Gql-Role', description: 'The role', schema: text },
            ],
            responses: {
              200: {
                headers: { ETag: { description: 'Its version', schema: text } },
                content: {
                  'application/json': { schema: { $ref: '#/components/schemas/Note' } },
                  'application/pdf': {},
                },
              },
            },
          },
        },
      },
    });
  });

  test('contains a schema that has a title once, and refers to it elsewhere', () => {
    expect(documentOf(reading)).toMatchObject({
      components: {
        schemas: {
          Kind: { const: 'note' },
          Note: {
            properties: { title: { type: 'string' }, kind: { $ref: '#/components/schemas/Kind' } },
          },
        },
      },
    });
  });

  test('describes only the security schemes that operations use', () => {
    const { components } = documentOf(reading) as {
      readonly components: { readonly securitySchemes: object };
    };
    expect(Object.keys(components.securitySchemes)).toEqual(['session', 'apiKey']);
  });
});

test('cannot be generated from two different schemas with one title', () => {
  const other: ApiOperation = {
    ...reading,
    path: '/others',
    body: Type.Object({}, { title: 'Note' }),
  };
  expect(() => documentOf(reading, other)).toThrow('two schemas have the title "Note"');
});

test('cannot be generated from two different security schemes with one name', () => {
  const other: ApiOperation = {
    ...reading,
    path: '/others',
    schemes: [{ name: 'apiKey', object: inHeader('X-Other-Key', 'A key') }],
  };
  expect(() => documentOf(reading, other)).toThrow('two security schemes have the name "apiKey"');
});

test('cannot be generated from two operations with one method and path', () => {
  expect(() => documentOf(reading, reading)).toThrow('two operations are at /notes/{noteId}');
});

test('the documentation page of a server whose base URL has a path loads its files below that path', async () => {
  const endpoints = makeDocsEndpoints({
    baseUrl: 'https://example.com/platform',
    operations: [reading],
  });
  const app = await startApp({ endpoints });
  const page = await (await app.fetch('/docs')).text();
  expect(page).toContain('src="/platform/docs/page.js"');
  expect(page).toContain('data-document="/platform/openapi.json"');
  await app.stop();
});
