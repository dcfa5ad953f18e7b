import { expect, test } from 'vitest';
import { Report } from '../../../permissions/diagnostics.ts';
import { tableFile } from '../../../permissions/metadata/schemas/tables/table.ts';
import { decode } from '../../../permissions/metadata/shape/shape.ts';
import { validateShape } from '../../../permissions/metadata/shape/validate-shape.ts';
import { parseYaml } from '../../../permissions/metadata/yaml/parse-yaml.ts';
import { load, makeFolder, messagesForTable, minimalFiles } from './metadata-folder.ts';

const hostile = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
];

test.each(hostile)(
  'loading refuses %s as an unknown key at every level of a table file',
  async (key) => {
    const messages = await messagesForTable(
      `table: t\n${key}: {}\npermissions:\n  r:\n    ${key}: {}\n    delete: { filter: {}, ${key}: 1 }\n`,
    );
    expect(messages.map((message) => message.split(';')[0])).toEqual([
      `2:1 RG_UNKNOWN_KEY unknown key "${key}" in the file`,
      `5:5 RG_UNKNOWN_KEY unknown key "${key}" in "r"`,
      `6:27 RG_UNKNOWN_KEY unknown key "${key}" in "delete"`,
    ]);
  },
);

test.each(hostile)(
  'loading reports a missing key although every JavaScript object inherits %s',
  async (key) => {
    const messages = await messagesForTable(`table: { ${key}: x }`);
    expect(messages).toHaveLength(3);
  },
);

test.each(hostile)(
  'loading accepts %s as the name of a role, a filter, a column and a relationship',
  async (key) => {
    const folder = await makeFolder({
      ...minimalFiles,
      'roles.yaml': `roles: { ${key}: { purpose: tries } }`,
      'filters.yaml': `filters: { ${key}: { ${key}: { _eq: 1 } } }`,
      'tables/t.yaml': `table: ${key}\npermissions: { ${key}: { insert: { check: {}, set: { ${key}: 1 }, columns: [${key}] } } }\nrelationships: { ${key}: { column: ${key} } }`,
    });
    const { metadata, messages } = await load(folder);
    expect(messages).toEqual([]);
    expect(metadata).toMatchObject({
      roles: [{ name: key }],
      filters: [{ name: { name: key }, filter: { entries: [{ key }] } }],
      tables: [
        {
          name: key,
          permissions: [{ role: { name: key }, insert: { set: [{ name: key }] } }],
          relationships: [{ name: key, columns: [{ local: { name: key } }] }],
        },
      ],
    });
  },
);

test('loading reports a mistake in the rules of a role called __proto__ at the right position', async () => {
  const text = 'table: t\npermissions:\n  __proto__:\n    select: { columns: [], filter: 1 }\n';
  expect(await messagesForTable(text)).toEqual([expect.stringMatching(/^4:36 RG_SHAPE "filter"/)]);
});

test('loading reports a mistake below a key with slashes and tildes at the right position', async () => {
  const text = 'table: t\npermissions:\n  a/b~1:\n    delete: { filter: 1 }\n';
  expect(await messagesForTable(text)).toEqual([expect.stringMatching(/^4:23 RG_SHAPE "filter"/)]);
});

test('a message escapes and shortens text that it quotes from a file', async () => {
  const [message] = await messagesForTable(`table: t\n"${'a'.repeat(300)}": 1`);
  expect(message).toContain(`unknown key "${'a'.repeat(80)}…" in the file`);
});

/** A generator of pseudo-random numbers (mulberry32), so that a failure can be repeated. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const pieces = [
  'table',
  ': ',
  ':',
  '\n',
  '\n  ',
  '\n    ',
  '- ',
  '? ',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '|',
  '>',
  '&a ',
  '*a',
  '!t ',
  '<<',
  '#',
  '%',
  '---\n',
  '...',
  '\t',
  '\\',
  '\0',
  'permissions',
  'select',
  'filter',
  'columns',
  '__proto__',
  '5',
  '~',
  'true',
  '\ud83d\ude00',
  '\ufeff',
  '\u2028',
  ' ',
];

test.each(Array.from({ length: 20 }, (_, i) => i + 1))(
  '200 random texts of seed %i are each read as a valid table file or refused with positions inside the text',
  (seed) => {
    const random = makeRandom(seed);
    for (let i = 0; i < 200; i++) {
      const text = Array.from({ length: random(40) }, () => pieces[random(pieces.length)]).join('');
      const report = new Report();
      const root = parseYaml(text, 'f', report);
      const valid = root !== undefined && validateShape(root, tableFile, report);
      const table = valid && decode(tableFile, root, report);
      const lines = text.split('\n');
      const inText = report.diagnostics.every(({ position }) => {
        const length = lines[(position?.line ?? 0) - 1]?.length ?? -1;
        return (position?.column ?? 0) >= 1 && (position?.column ?? 0) <= length + 1;
      });
      const context = JSON.stringify({ text, found: report.diagnostics });
      expect(inText, context).toBe(true);
      expect(Boolean(table) || report.hasErrors, context).toBe(true);
    }
  },
);
