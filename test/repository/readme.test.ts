import { execFile } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnosticCodes, loadModel } from '../../permissions/index.ts';
import { processErrorCodes } from '../../server/errors.ts';
import type { RunningServer } from '../../server/start/start-server.ts';
import { start } from '../server/cli/support/start.ts';
import { makeDataFolder, removeFolders } from '../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { platformMetadata } from '../support/http.ts';
import { compileCache, program } from '../support/rowgate.ts';
import { likeness } from './likeness.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = await readFile(path.join(root, 'README.md'), 'utf8');

interface Example {
  readonly title: string;
  readonly command: string;
  readonly answer: unknown;
}

/** Commands that are followed by their output. */
const examples: readonly Example[] = [
  ...readme.matchAll(/```sh\n([^`]*)```\n<!-- answers -->\n```json\n([^`]*)```/g),
].map(([, command = '', answer = ''], index) => ({
  title: `example ${index + 1}`,
  command: command.replace(/^SECRET=.*\n/, ''),
  answer: JSON.parse(answer),
}));

/** Metadata files by path: blocks of YAML whose first line is a comment with the path. */
const files = [...readme.matchAll(/```yaml\n# metadata\/(\S+)\n([^`]*)```/g)].map(
  ([, name = '', text = '']) => ({ name, text }),
);

/** Environment variables that the README uses. */
const secrets = { ROWGATE_CARD_WEBHOOK_SECRET: 'c'.repeat(32) };

const execute = promisify(execFile);
let folder: string;
let database: TestDatabase;
let served: RunningServer;

beforeAll(async () => {
  folder = await makeDataFolder();
  // The folder is inside a checkout, whose metadata names the application.
  await cp(platformMetadata, path.join(folder, 'metadata'), { recursive: true });
  database = await createDatabase({ from: 'platform' });
  served = await start({ ROWGATE_DATA_DIR: path.join(folder, '.rowgate'), ...secrets });
});

afterAll(async () => {
  await served.stop();
  await removeFolders();
  await database.drop();
});

/** Runs a command of the README in the folder of the server. */
async function typeIn(command: string): Promise<unknown> {
  const script = `SECRET=$(cat .rowgate/admin-secret)\n${command}`
    .replaceAll('http://127.0.0.1:5678', served.url)
    .replaceAll('npm run -s rowgate --', `${process.execPath} ${program}`);
  const env = { ...process.env, ...compileCache(), ...secrets };
  const { stdout } = await execute('sh', ['-euc', script], { cwd: folder, env });
  return JSON.parse(stdout);
}

// The examples run in order: one signs in, and the next uses the session.
describe('the examples of the README', { shuffle: false }, () => {
  test('exist', () => {
    expect(examples.length).toBeGreaterThanOrEqual(10);
    expect(files.length).toBeGreaterThanOrEqual(5);
  });

  test.each(examples)('$title responds as the README shows', async ({ command, answer }) => {
    expect(await typeIn(command)).toEqual(likeness(answer));
  });

  test('are metadata that Rowgate accepts', async () => {
    const metadata = path.join(folder, 'written');
    await cp(platformMetadata, metadata, { recursive: true });
    const roles = await readFile(path.join(metadata, 'roles.yaml'), 'utf8');
    // Rules of other tables need filters that the README does not show.
    for (const name of await readdir(path.join(metadata, 'tables')))
      await writeFile(path.join(metadata, 'tables', name), `table: ${path.parse(name).name}\n`);
    for (const { name, text } of files) await writeFile(path.join(metadata, name), text);
    await writeFile(path.join(metadata, 'roles.yaml'), roles);
    const client = await database.connectOwner();
    const model = await loadModel({ metadata, client, headerPrefix: 'X-Gql-' });
    expect([...model.roles.keys()]).toContain('organization_admin');
  });
});

test('the README explains exactly the existing diagnostic codes', () => {
  const table = readme.split('<!-- codes -->')[1]?.split('<!-- /codes -->')[0] ?? '';
  const explained = [...table.matchAll(/^\| `(RG_\w+)` \| (.+) \|$/gm)].map(([, code, text]) => [
    code,
    text,
  ]);
  expect(Object.fromEntries(explained)).toEqual({ ...diagnosticCodes, ...processErrorCodes });
});

test('every link of the README leads to a file of the repository', async () => {
  const links = [...readme.matchAll(/\]\((?!http)([^)#]+)\)/g)].map(([, link = '']) => link);
  await Promise.all(links.map((link) => readFile(path.join(root, link))));
  expect(links).not.toEqual([]);
});

test('the README explains every code of a response', async () => {
  const codes = [
    ...(await codesIn(/(?:RequestError|CallerError)\(\s*'([A-Za-z_-]+)'/g)),
    ...(await codesIn(/\bcode: '([a-z-]+)'/g)),
  ];
  expect(codes.length).toBeGreaterThan(50);
  for (const code of codes) expect(readme).toContain(`\`${code}\``);
});

/** Returns all matches of a pattern in the sources of the server. */
async function codesIn(pattern: RegExp): Promise<readonly string[]> {
  const server = path.join(root, 'server');
  const names = (await readdir(server, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const sources = await Promise.all(names.map((name) => readFile(path.join(server, name), 'utf8')));
  const codes = sources.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code));
  return [...new Set(codes)];
}
