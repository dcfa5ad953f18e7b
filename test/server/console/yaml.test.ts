import { describe, expect, test } from 'vitest';
import { yamlPlace } from '../../../server/console/pages/yaml/yaml-path.ts';
import { wordsAt } from '../../../server/console/pages/yaml/yaml-words.ts';

const scope = {
  file: {
    schema: {
      properties: {
        table: { type: 'string' },
        live: { type: 'boolean' },
        permissions: {
          patternProperties: {
            '^.*$': {
              properties: {
                select: {
                  title: 'a select rule',
                  properties: { filter: {}, columns: {}, allow_aggregations: { type: 'boolean' } },
                },
              },
            },
          },
        },
      },
    },
    words: {
      operators: ['_eq', '_in'],
      variables: ['X-Gql-Shop-Id'],
      relationships: { 'public.item': { shop: 'public.shop' }, 'public.shop': {} },
    },
  },
  matrix: {
    roles: [{ name: 'clerk', inherits: [] }],
    tables: [
      { key: 'public.item', columns: ['id', 'state'] },
      { key: 'public.shop', columns: ['closed'] },
    ],
    entries: [],
  },
  table: 'public.item',
};

/** Returns the labels that are offered at the end of a text. */
const labelsAfter = (text: string) =>
  wordsAt(yamlPlace(text), scope).map(({ label }) => label.replace(/^'|'$/g, ''));

const rule = 'permissions:\n  clerk:\n    select:\n';
const columns = ['id', 'state'];
const condition = [...columns, 'shop', '_and', '_or', '_not', '_exists', '_filter'];

describe('the editor offers', () => {
  test.each([
    ['keys of the file', 'ta', ['table', 'live', 'permissions']],
    ['values of a key', 'live: ', ['true', 'false']],
    ['roles', 'permissions:\n  cl', ['clerk']],
    ['operations of a role', 'permissions:\n  clerk:\n    se', ['select']],
    ['keys of a rule', `${rule}      `, ['filter', 'columns', 'allow_aggregations']],
    ['columns in a list', `${rule}      columns: [id, `, [...columns, '*']],
    ['columns in a list below its key', `${rule}      columns:\n        - `, [...columns, '*']],
    ['columns, relationships and connectives in a condition', `${rule}      filter: { `, condition],
    ['the same below a comment', `# { a\n${rule}      # }\n      filter:\n        st`, condition],
    ['operators of a column', `${rule}      filter: { state: { _`, ['_eq', '_in']],
    ['session variables as operands', `${rule}      filter: { id: { _eq: X`, ['X-Gql-Shop-Id']],
    [
      'operands after another condition',
      `${rule}      filter: { state: { _eq: "}" }, id: { _in: `,
      ['X-Gql-Shop-Id'],
    ],
    [
      'columns of a related table',
      `${rule}      filter: { shop: { cl`,
      ['closed', ...condition.slice(3)],
    ],
    [
      'the same in an alternative',
      `${rule}      filter:\n        _or:\n          - { shop: { `,
      ['closed', ...condition.slice(3)],
    ],
  ])('%s', (_name, text, labels) => {
    expect(labelsAfter(text)).toEqual(labels);
  });
});
