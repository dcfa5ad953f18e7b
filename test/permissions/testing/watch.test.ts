import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { endPrograms, type Program, startProgram } from '../../support/program.ts';
import { compileCache, program } from '../../support/rowgate.ts';
import { until } from '../../support/until.ts';
import { people, rules, useNotes } from './notes.ts';

const notes = useNotes();
afterEach(endPrograms);

const suite = (rows: string) =>
  `${people}  - test: a reader sees published notes\n    list: { reader: [${rows}] }\n`;

async function write(file: string, text: string): Promise<void> {
  await writeFile(path.join(notes.installation.metadata, file), text);
}

/** Starts `rowgate test --watch` in a process of its own, with one passing test. */
async function watch(): Promise<Program> {
  const { installation } = notes;
  const { metadata, prefix, database } = installation;
  await installation.rewrite({ ...rules, 'tests/note.yaml': suite('published') });
  return startProgram(process.execPath, [program, 'test', '--watch', '--metadata', metadata], {
    env: {
      ...compileCache(),
      DATABASE_URL: database.ownerUrl,
      ROWGATE_ROLE_PREFIX: prefix,
      ROWGATE_DATA_DIR: `${inject('scratch')}/${prefix}data`,
    },
  });
}

/** Waits until the output since the last call contains a text. */
function reader(running: Program) {
  let read = 0;
  return (text: string) =>
    until(async () => {
      const at = running.stdout().indexOf(text, read);
      read = at < 0 ? read : at + text.length;
      return at >= 0;
    });
}

const passed = '1 of 1 expectation in 1 file hold';
const failed = '0 of 1 expectation in 1 file hold';

describe('rowgate test --watch', () => {
  test('runs again after changes of rules and tests, and ends at SIGINT with the code of the last run', async () => {
    const running = await watch();
    const next = reader(running);
    await next(passed);
    await write('tests/note.yaml', suite('draft'));
    await next(failed);
    await write(
      'tables/note.yaml',
      String(rules['tables/note.yaml']).replace('published', 'draft'),
    );
    await next(passed);
    await write('tests/note.yaml', suite('published'));
    await next(failed);
    expect(await running.end('SIGINT')).toBe(1);
  });

  test('reports a mistake in a file, and goes on', async () => {
    const running = await watch();
    const next = reader(running);
    await next(passed);
    await write('tests/note.yaml', suite('unknown'));
    await until(async () => running.stderr().includes('RG_TEST'));
    await write('tests/note.yaml', suite('published'));
    await next(passed);
    expect(await running.end('SIGINT')).toBe(0);
  });

  test('lets a run end when it is interrupted', async () => {
    const { database } = notes.installation;
    const holder = await database.connectOwner();
    await holder.query('begin; lock table note in access exclusive mode');
    const running = await watch();
    await until(async () => {
      const { rows } = await notes.installation.owner.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows.length > 0;
    });
    const ended = running.end('SIGINT');
    await holder.query('rollback');
    expect(await ended).toBe(0);
    expect(running.stdout()).toContain(passed);
  });
});
