import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../support/http.ts';
import { alder, birch } from './rules-in-force.ts';

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  server = await startTestServer({ database });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const readYaml = async (name: string) =>
  parse(await readFile(path.join(platformMetadata, name), 'utf8'));

/** Returns the result of a mutation with one field, or the code and message of the error. */
async function write(field: string, headers: Readonly<Record<string, string>> = {}) {
  const { body } = await server.graphql(`mutation { written: ${field} }`, {
    'X-Gql-Role': 'organization_admin',
    'X-Gql-Organization-Id': alder,
    'X-Gql-User-Id': 'local|alder-admin',
    ...headers,
  });
  if (body.data) return body.data.written;
  const [{ message, extensions }] = body.errors;
  return { code: extensions.code, message };
}

describe.each(['digital_wallet', 'address_book_entry'])(
  'organization_admin on %s, under the sample rules of the platform,',
  (table) => {
    const idOf = async (organization: string, status: string): Promise<string> => {
      const { rows } = await owner.query(
        `select id from public.${table} where organization_id = $1 and status = $2 order by id limit 1`,
        [organization, status],
      );
      return rows[0].id;
    };

    test('has exactly the documented insert, update and delete rules', async () => {
      const { permissions } = await readYaml(`tables/${table}.yaml`);
      const { filters } = await readYaml('filters.yaml');
      const { insert, update, delete: remove } = permissions.organization_admin;
      const inFull = JSON.parse(
        JSON.stringify({ insert, update, delete: remove }).replaceAll(
          JSON.stringify({ _filter: 'own_organization' }),
          JSON.stringify(filters.own_organization),
        ),
      );
      expect(inFull).toEqual({
        insert: {
          check: { organization_id: { _eq: 'X-Gql-Organization-Id' } },
          set: { created_by: 'X-Gql-User-Id' },
          columns: ['label', 'description'],
        },
        update: {
          filter: { organization_id: { _eq: 'X-Gql-Organization-Id' } },
          columns: ['label', 'description'],
          check: { status: { _neq: 'locked' } },
        },
        delete: {
          filter: {
            _and: [
              { organization_id: { _eq: 'X-Gql-Organization-Id' } },
              { status: { _eq: 'draft' } },
            ],
          },
        },
      });
    });

    test('inserts label and description, and the session fills created_by and organization_id', async () => {
      const { id } = await write(
        `insert_${table}_one(object: { label: "New", description: "For a test" }) { id }`,
      );
      const { rows } = await owner.query(
        `select organization_id, created_by, label, description from public.${table} where id = $1`,
        [id],
      );
      expect(rows).toEqual([
        {
          organization_id: alder,
          created_by: 'local|alder-admin',
          label: 'New',
          description: 'For a test',
        },
      ]);
    });

    test.each(['organization_id', 'created_by', 'status', 'id', 'created_at'])(
      'cannot insert or update the column %s, which the GraphQL schema lacks',
      async (column) => {
        const errorFor = (type: string) => ({
          code: 'validation-failed',
          message: expect.stringContaining(
            `field '${column}' not found in type: '${table}_${type}'`,
          ),
        });
        expect(
          await write(`insert_${table}(objects: [{ ${column}: null }]) { affected_rows }`),
        ).toEqual(errorFor('insert_input'));
        expect(
          await write(`update_${table}(where: {}, _set: { ${column}: null }) { affected_rows }`),
        ).toEqual(errorFor('set_input'));
      },
    );

    test('cannot insert without the variable x-gql-user-id', async () => {
      const field = `insert_${table}(objects: [{ label: "New" }]) { affected_rows }`;
      expect(await write(field, { 'X-Gql-User-Id': '' })).toEqual({
        code: 'not-found',
        message: 'missing session variable: "x-gql-user-id"',
      });
    });

    test('updates a row that is not locked', async () => {
      const id = await idOf(alder, 'active');
      const field = `update_${table}_by_pk(pk_columns: { id: "${id}" }, _set: { label: "Other" }) { id label }`;
      expect(await write(field)).toEqual({ id, label: 'Other' });
    });

    test('cannot update a locked row, because the check fails', async () => {
      const id = await idOf(alder, 'locked');
      const field = `update_${table}_by_pk(pk_columns: { id: "${id}" }, _set: { label: "Other" }) { id }`;
      expect(await write(field)).toEqual({
        code: 'permission-error',
        message: expect.stringContaining(
          'check constraint of an insert/update permission has failed',
        ),
      });
    });

    test.each(['active', 'locked', 'draft'])(
      'changes nothing when it updates or deletes a row of another organization that is %s',
      async (status) => {
        const id = await idOf(birch, status);
        const where = `where: { id: { _eq: "${id}" } }`;
        expect(
          await write(`update_${table}(${where}, _set: { label: "x" }) { affected_rows }`),
        ).toEqual({ affected_rows: 0 });
        expect(await write(`delete_${table}(${where}) { affected_rows }`)).toEqual({
          affected_rows: 0,
        });
      },
    );

    test.each(['active', 'locked'])('deletes nothing when the row is %s', async (status) => {
      const id = await idOf(alder, status);
      expect(await write(`delete_${table}_by_pk(id: "${id}") { id }`)).toBeNull();
    });

    test('deletes a draft', async () => {
      const id = await idOf(alder, 'draft');
      expect(await write(`delete_${table}_by_pk(id: "${id}") { id }`)).toEqual({ id });
      expect(await write(`delete_${table}_by_pk(id: "${id}") { id }`)).toBeNull();
    });
  },
);
