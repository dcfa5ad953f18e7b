import { expect } from 'vitest';
import { loadModel } from '../../../../../permissions/index.ts';
import { errorOf } from '../../support/error-of.ts';
import { type Answer, headersOf } from '../../support/gateway.ts';
import type { Proofs } from './world.ts';

export const answering: Proofs = {
  'In an inherited role, a relationship is empty where no parent reads the key that it joins by in that row, and not there where none ever does':
    async ({ gateway }) => {
      const query = '{ note(order_by: {word: asc}) { word doc { id } } }';
      expect((await gateway.ask(query, { role: 'inheriting' })).data.note).toEqual([
        { word: 'a', doc: { id: 1 } },
        { word: 'b', doc: null },
      ]);
    },
  'In an inherited role, writes ask for columns that only some rows show (in conditions, in `returning`) only where every row shows the primary key; such a condition goes by how rows were when the statement began':
    async ({ data, error }) => {
      const update = (where: string, shown: string) =>
        `update_note(where: ${where}, _set: {word: "a"}) { affected_rows returning { ${shown} } }`;
      expect(await error('inheriting', update('{word: {_eq: "a"}}', 'word doc_id'))).toMatch(
        /^not-supported \$\.selectionSet\.update_note\.selectionSet\.returning\.selectionSet\.doc_id/,
      );
      expect(await error('inheriting', update('{doc_id: {_eq: 1}}', 'word'))).toMatch(
        /^not-supported \$\.selectionSet\.update_note\.args\.where/,
      );
      expect(await data('inheriting', update('{word: {_eq: "a"}}', 'word'))).toEqual({
        update_note: { affected_rows: 1, returning: [{ word: 'a' }] },
      });
    },
  'A role that `roles.yaml` does not declare is refused by its name, and is none that may do nothing':
    async ({ error }) => {
      expect(await error('nobody', 'delete_doc(where: {}) { affected_rows }')).toBe(
        'validation-failed $ role "nobody" does not exist',
      );
    },
  'Operators of PostGIS and of jsonpath do not exist, and `_matches_fulltext_any` and `_cast` of uuid and citext do':
    async ({ gateway }) => {
      const known = async (type: string) => {
        const query = `{ __type(name: "${type}_comparison_exp") { inputFields { name } } }`;
        const { __type } = (await gateway.ask(query)).data;
        return __type.inputFields.map((field: { name: string }) => field.name);
      };
      expect(await known('citext')).toContain('_cast');
      expect(await known('uuid')).toContain('_cast');
      expect(await known('ltree')).toContain('_matches_fulltext_any');
      expect(await known('jsonb')).not.toContain('_jsonb_path_exists');
    },
  'Messages of Postgres about values and about tables that the role does not know are replaced by general ones':
    async ({ error, gateway }) => {
      const update = 'update_doc(where: {}, _set: {small: 40000}) { affected_rows }';
      expect(await error('wide', update)).toBe(
        'data-exception $.selectionSet.update_doc.args a number is out of the range of its type',
      );
      expect(errorOf(await gateway.ask(`mutation { ${update} }`))).toBe(
        'data-exception $.selectionSet.update_doc.args value "40000" is out of range for type smallint',
      );
    },
  'Computed fields with `rights: owner`, and all for roles that read a part of the columns, are null or empty in what a deletion returns':
    async ({ data, gateway }) => {
      const fields = 'tally(args: {times: 3}) owned_tally(args: {times: 3})';
      const asked = { role: 'wide' };
      expect(
        (await gateway.ask(`{ doc(where: {id: {_eq: 1}}) { ${fields} } }`, asked)).data,
      ).toEqual({
        doc: [{ tally: 3, owned_tally: 3 }],
      });
      expect(await data('wide', `delete_doc_by_pk(id: 1) { ${fields} }`)).toEqual({
        delete_doc_by_pk: { tally: 3, owned_tally: null },
      });
    },
  'Computed fields and functions with `rights: caller` see what the role sees; with arguments or rows they are for roles that read every column':
    async ({ gateway }) => {
      const query = '{ doc(order_by: {id: asc}) { same { id } } }';
      const rows = (await gateway.ask(query, { role: 'narrow' })).data.doc;
      expect(rows).toEqual([{ same: [{ id: 1 }] }, { same: [{ id: 3 }] }]);
      const refused = async (field: string) =>
        errorOf(await gateway.ask(`{ doc { ${field} } }`, { role: 'changer' }));
      expect(await refused('same { id }')).toContain("field 'same' not found in type: 'doc'");
      expect(await refused('tally(args: {times: 3})')).toContain("no argument named 'args'");
    },
  'Permissions of volatile functions that are queries are not inferred': async ({ gateway }) => {
    const client = await gateway.database.connectOwner();
    const options = { metadata: gateway.folder, headerPrefix: 'X-Gql-', client };
    const { roles } = await loadModel({ ...options, inferFunctionPermissions: true });
    await client.end();
    expect([...roles.values()].filter((one) => one.functions.includes('public.touched'))).toEqual([
      expect.objectContaining({ name: 'admin' }),
    ]);
  },
  '`raise exception` in a function or trigger is `data-exception`, not `unexpected`': async ({
    gateway,
  }) => {
    const update = 'mutation { update_bare(where: {}, _set: {word: "x"}) { affected_rows } }';
    expect(errorOf(await gateway.ask(update))).toBe(
      'data-exception $.selectionSet.update_bare.args never',
    );
  },
  'Decimals are written as Postgres writes them, without zeros that a driver adds': async ({
    gateway,
  }) => {
    const insert = 'insert_odd_one(object: {id: 1, d: 12345.67}) { id }';
    const update = 'update_odd_by_pk(pk_columns: {id: 1}, _inc: {d: -1.1}) { d }';
    const answer = await gateway.ask(`mutation { ${insert} ${update} }`);
    expect(answer.data.update_odd_by_pk).toEqual({ d: 12344.57 });
  },
  '`returning` is a list of rows, also where a public case of Hasura expects one row': async ({
    gateway,
  }) => {
    const insert = 'insert_odd(objects: {id: 2, list: ["a", "b"]}) { returning { list } }';
    const answer = await gateway.ask(`mutation { ${insert} }`);
    expect(answer.data.insert_odd).toEqual({ returning: [{ list: ['a', 'b'] }] });
  },
  'Persisted queries are taken, so that a hash which is none is a `bad-request`': async ({
    gateway,
  }) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'randomhash' } };
    const body = JSON.stringify({ query: '{ odd { id } }', extensions });
    const response = await gateway.send({
      headers: headersOf({}),
      body,
    });
    expect(errorOf((await response.json()) as Answer)).toContain('bad-request');
  },
};
