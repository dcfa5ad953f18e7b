import { expect } from 'vitest';
import type { Proofs } from './world.ts';

export const writing: Proofs = {
  'Updates and deletes with a condition touch only rows that the select rule shows': async ({
    data,
  }) => {
    const update = 'update_doc(where: {id: {_in: [1, 2]}}, _set: {n: 7}) { affected_rows }';
    const remove = 'delete_doc(where: {id: {_in: [1, 2]}}) { affected_rows }';
    expect(await data('narrow', update)).toEqual({ update_doc: { affected_rows: 1 } });
    expect(await data('wide', update)).toEqual({ update_doc: { affected_rows: 2 } });
    const all = 'update_doc(where: {}, _set: {n: 8}) { affected_rows }';
    expect(await data('narrow', all)).toEqual({ update_doc: { affected_rows: 3 } });
    expect(await data('narrow', remove)).toEqual({ delete_doc: { affected_rows: 1 } });
    expect(await data('wide', remove)).toEqual({ delete_doc: { affected_rows: 1 } });
  },
  'A written row that the select rule hides is not returned: the write is refused': async ({
    data,
    error,
  }) => {
    const insert = (fields: string) => `insert_doc(objects: {id: 9, hidden: true}) { ${fields} }`;
    expect(await error('narrow', insert('returning { id }'))).toContain(
      'permission-error $.selectionSet.insert_doc.args.objects',
    );
    expect(await data('narrow', insert('affected_rows'))).toEqual({
      insert_doc: { affected_rows: 1 },
    });
  },
  'An update that takes rows out of sight takes `_set` alone, and neither upserts nor updates of views do it':
    async ({ data, error }) => {
      const where = 'where: {id: {_eq: 1}}, _set: {hidden: true}';
      const refused =
        /^permission-error .* may not select the row: then use _set alone and ask for affected_rows alone$/;
      expect(await error('narrow', `update_doc(${where}, _inc: {n: 1}) { affected_rows }`)).toMatch(
        refused,
      );
      expect(await error('narrow', `update_doc(${where}) { returning { id } }`)).toMatch(refused);
      const conflict = 'on_conflict: {constraint: doc_pkey, update_columns: [hidden]}';
      expect(
        await error(
          'narrow',
          `insert_doc(objects: {id: 1, hidden: true}, ${conflict}) { affected_rows }`,
        ),
      ).toContain('permission-error');
      expect(await error('narrow', `update_shown_doc(${where}) { affected_rows }`)).toMatch(
        /^permission-error .* or the role may not select the row$/,
      );
      expect(await data('narrow', `update_doc(${where}) { affected_rows }`)).toEqual({
        update_doc: { affected_rows: 1 },
      });
    },
  '`on_conflict` by a constraint that the role may read needs a select rule that shows the new row and the one in the way, and takes `update_columns` that the role may read':
    async ({ data, error }) => {
      const upsert = (row: string, columns: string) =>
        `insert_doc(objects: ${row}, on_conflict: {constraint: doc_pkey, update_columns: [${columns}]}) { affected_rows }`;
      const row = '{id: 9, hidden: true}';
      expect(await data('narrow', `insert_doc(objects: ${row}) { affected_rows }`)).toBeDefined();
      expect(await error('narrow', upsert(row, ''))).toContain('permission-error');
      expect(await data('narrow', upsert('{id: 2, n: 5}', 'n'))).toEqual({
        insert_doc: { affected_rows: 0 },
      });
      expect(await error('upserter', upsert('{id: 1, n: 5}', 'owner'))).toContain('not-supported');
      expect(await data('upserter', upsert('{id: 1, n: 5}', 'n'))).toEqual({
        insert_doc: { affected_rows: 1 },
      });
    },
  '`on_conflict` by a constraint that the role may not read, or with `update_columns` where it may not read the primary key, goes row by row: without `where`, without `update_columns` that the insert rule presets (without any where the table has `BEFORE INSERT` triggers for each row, or where a column of the constraint is generated or preset by the update rule, or its nulls are not distinct), and a row that breaks another unique constraint too is refused':
    async ({ data, error }) => {
      const upsert = (row: string, conflict: string) =>
        `insert_doc(objects: ${row}, on_conflict: {constraint: ${conflict}}) { affected_rows }`;
      const none = { insert_doc: { affected_rows: 0 } };
      expect(await data('blind', upsert('{id: 1}', 'doc_pkey'))).toEqual(none);
      const both = '{id: 1, owner: "ann"}';
      expect(await data('narrow', upsert(both, 'doc_owner_key'))).toEqual(none);
      expect(await error('blind', upsert(both, 'doc_owner_key'))).toContain('doc_pkey');
      const change = 'doc_owner_key, update_columns: [n]';
      const where = `${change}, where: {n: {_eq: 1}}`;
      expect(await error('keyless', upsert('{id: 8, owner: "ann"}', where))).toContain(
        'not-supported $.selectionSet.insert_doc.args.on_conflict.where',
      );
      const preset = `${change.replace('n]', 'n, small]')}`;
      expect(await error('keyless', upsert('{id: 8, owner: "ann"}', preset))).toContain(
        'not-supported $.selectionSet.insert_doc.args.on_conflict.update_columns',
      );
      expect(await data('keyless', upsert('{id: 8, owner: "ann", n: 3}', change))).toEqual({
        insert_doc: { affected_rows: 1 },
      });
      const stamped =
        'insert_stamped(objects: {id: 1, word: "x"}, on_conflict: {constraint: stamped_pkey, update_columns: word}) { affected_rows }';
      expect(await error('keyless', stamped)).toContain('BEFORE INSERT');
    },
  "An upsert's row must pass the insert check even where it only changes another row": async ({
    data,
    error,
  }) => {
    const conflict = 'on_conflict: {constraint: doc_pkey, update_columns: [n]}';
    const upsert = (n: number) =>
      `insert_doc(objects: {id: 1, n: ${n}}, ${conflict}) { affected_rows }`;
    expect(await error('upserter', upsert(10))).toContain('permission-error');
    expect(await data('upserter', upsert(9))).toEqual({ insert_doc: { affected_rows: 1 } });
    const update = 'update_doc(where: {id: {_eq: 1}}, _set: {n: 10}) { affected_rows }';
    expect(await data('upserter', update)).toEqual({ update_doc: { affected_rows: 1 } });
  },
  '`_inc`, `_append` and their like offer only columns that the role may read': async ({
    data,
    error,
  }) => {
    const update = (change: string) =>
      `update_doc(where: {id: {_eq: 1}}, ${change}) { affected_rows }`;
    expect(await error('changer', update('_inc: {n: 1}'))).toContain("no argument named '_inc'");
    expect(await data('changer', update('_set: {n: 1}'))).toEqual({
      update_doc: { affected_rows: 1 },
    });
  },
  'An insert rule without columns and presets can insert nothing, unless the table has a generated column':
    async ({ error, gateway }) => {
      const insert = 'insert_bare(objects: [{}]) { affected_rows }';
      expect(await error('filler', insert)).toBe(
        'permission-error $.selectionSet.insert_bare.args.objects permission denied',
      );
      expect((await gateway.ask(`mutation { ${insert} }`)).data.insert_bare.affected_rows).toBe(1);
    },
  'An update rule on a view has no presets, and no check but its filter or `{}`; views with `security_invoker`, and those with rewrite rules below, are not written':
    async ({ gateway }) => {
      const rule = (text: string) =>
        gateway.write({
          'tables/plain.yaml': `table: plain\npermissions: { wide: { update: { filter: {}, columns: [n], ${text} } } }\n`,
        });
      await rule('set: { owner: ann }');
      await expect(gateway.apply()).rejects.toThrow(/RG_VIEW/);
      await rule('check: { n: { _gt: 0 } }');
      await expect(gateway.apply()).rejects.toThrow(/RG_VIEW/);
      await gateway.write({ 'tables/plain.yaml': 'table: plain\n' });
    },
};
