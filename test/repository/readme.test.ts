import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnosticCodes, loadModel } from '../../permissions/index.ts';
import { processErrorCodes } from '../../server/errors.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../support/http.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = await readFile(path.join(root, 'README.md'), 'utf8');

interface Example {
  readonly title: string;
  readonly command: string;
  readonly answer: unknown;
}

/** Commands that an answer follows. */
const examples: readonly Example[] = [
  ...readme.matchAll(/```sh\n([^`]*)```\n<!-- answers -->\n```json\n([^`]*)```/g),
].map(([, command = '', answer = ''], index) => ({
  title: `example ${index + 1}`,
  command: command.replace(/^SECRET=.*\n/, ''),
  answer: JSON.parse(answer),
}));

/** Metadata files by path: blocks of YAML whose first line is a comment with their name. */
const files = [...readme.matchAll(/```yaml\n# metadata\/(\S+)\n([^`]*)```/g)].map(
  ([, name = '', text = '']) => ({ name, text }),
);

let folder: string;
let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowgate-readme-'));
  database = await createDatabase({ from: 'platform' });
  server = await startTestServer({ database });
  await mkdir(path.join(folder, '.rowgate'));
  await writeFile(path.join(folder, '.rowgate/admin-secret'), server.adminSecret);
});

afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

describe('the examples of the README', () => {
  test('are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(files.length).toBeGreaterThanOrEqual(5);
  });

  test.each(examples)('$title answers as it says', async ({ command, answer }) => {
    const script = `SECRET=$(cat .rowgate/admin-secret)\n${command}`.replaceAll(
      'http://127.0.0.1:5678',
      server.url,
    );
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(answer);
  });

  test('are metadata that Rowgate takes', async () => {
    const metadata = path.join(folder, 'metadata');
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

test('the README explains every code, and no other', () => {
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

test('the README explains every code of an answer', async () => {
  const sources = await Promise.all(
    (await readdir(path.join(root, 'server'), { recursive: true }))
      .filter((name) => /^(graphql\/.*|context)\.ts$/.test(name))
      .map((name) => readFile(path.join(root, 'server', name), 'utf8')),
  );
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/(?:RequestError|CallerError)\(\s*'([a-z-]+)'/g)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(readme).toContain(`\`${code}\``);
});
