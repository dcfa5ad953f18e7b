import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { editorSchemas } from '../../../permissions/metadata/schemas/editor-schemas.ts';

const schemas = editorSchemas();

test('a JSON Schema exists for every kind of metadata file', () => {
  expect(Object.keys(schemas)).toEqual([
    'roles.yaml',
    'cron.yaml',
    'actions.yaml',
    'allow_list.yaml',
    'graphile.yaml',
    'filters.yaml',
    'rowgate.yaml',
    'tables/*.yaml',
    'functions/*.yaml',
    'tests/*.yaml',
  ]);
});

test.each(Object.entries(schemas))(
  'the JSON Schema of %s is valid for draft 2020-12 after it was written as JSON',
  (_, schema) => {
    const parsed: unknown = JSON.parse(JSON.stringify(schema));
    const ajv = new Ajv2020({ strict: true });
    expect(parsed).toEqual({ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' });
    expect(ajv.validateSchema(parsed as object)).toBe(true);
  },
);

test('the JSON Schema of table files accepts a table file and refuses an unknown key in it', () => {
  const validate = new Ajv2020().compile(schemas['tables/*.yaml'] ?? {});
  const select = { filter: {}, columns: '*' };
  expect(validate({ table: 'a.b', permissions: { r: { select } } })).toBe(true);
  expect(validate({ table: 'a.b', permissions: { r: { select: { ...select, x: 1 } } } })).toBe(
    false,
  );
});
