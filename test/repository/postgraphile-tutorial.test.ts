import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { makeSchema } from 'postgraphile';
import { execute, hookArgs } from 'postgraphile/grafast';
import { type ExecutionResult, parse } from 'postgraphile/graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder, removeFolders } from '../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { endPrograms } from '../support/program.ts';
import { compileCache, program, type Served, serveRowgate } from '../support/rowgate.ts';
import { likeness } from './likeness.ts';

const root = path.resolve(import.meta.dirname, '../..');
const file = path.join(root, 'docs/tutorials/in-front-of-postgraphile.md');
const tutorial = await readFile(file, 'utf8');

/** Blocks whose first line is a comment with the path of a file. */
const files = [
  ...tutorial.matchAll(/```\w+\n(?:#|--|\/\/) (\S+\.\w+)\n([^`]*(?:`[^`]+)*?)\n```/g),
].map(([, name = '', text = '']) => ({ name, text }));
/** Commands without an answer; the one that serves goes on. */
const commands = [...tutorial.matchAll(/```sh\n(npx [^`]*)```\n(?!<!-- answers)/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .map((line) => line.replace(/^npx rowgate /, '').split(' '));
const examples = [
  ...tutorial.matchAll(/```sh\n([^`]*)```\n<!-- answers -->\n```json\n([^`]*)```/g),
].map(([, command = '', answer = ''], index) => ({
  title: `example ${index + 1}`,
  command,
  answer: JSON.parse(answer) as unknown,
}));

const secret = 'a'.repeat(40);
const run = promisify(execFile);
let folder: string;
let database: TestDatabase;
let environment: Record<string, string>;
let served: Served;

beforeAll(async () => {
  folder = await makeDataFolder();
  database = await createDatabase();
  for (const { name, text } of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const owner = await database.connectOwner();
  await owner.query(await readFile(path.join(folder, 'schema.sql'), 'utf8'));
  environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(folder, '.rowgate'),
    ROWGATE_ADMIN_SECRET: secret,
  };
  for (const args of commands.filter(([command]) => command !== 'serve')) {
    const env = { ...process.env, ...compileCache(), ...environment };
    await run(process.execPath, [program, ...args], { cwd: folder, env });
  }
  const serve = commands.find(([command]) => command === 'serve') ?? [];
  const absolute = serve.slice(1).map((one) => (one === 'metadata' ? path.join(folder, one) : one));
  served = await serveRowgate(environment, absolute);
});

afterAll(async () => {
  await endPrograms();
  await removeFolders();
  await database.drop();
});

async function typeIn(command: string): Promise<unknown> {
  const env = { ...process.env, SECRET: secret };
  const script = command.replaceAll('http://127.0.0.1:5678', served.url);
  const { stdout } = await run('sh', ['-euc', script], { cwd: folder, env });
  return JSON.parse(stdout);
}

describe('the tutorial about PostGraphile applications', { shuffle: false }, () => {
  test('has files, commands and examples', () => {
    expect(files.map(({ name }) => name)).toEqual([
      ...['schema.sql', 'graphile.config.ts', 'metadata/graphile.yaml', 'metadata/roles.yaml'],
      ...['metadata/tables/customer.yaml', 'metadata/tables/repair.yaml'],
    ]);
    expect(commands.map(([command]) => command)).toEqual(['check', 'apply', 'serve']);
    expect(examples).toHaveLength(5);
  });

  test('puts Rowgate in front in about ten lines', () => {
    const lines = files
      .filter(({ name }) => name.startsWith('metadata/'))
      .flatMap(({ text }) => text.trim().split('\n'));
    expect(lines.length).toBeLessThanOrEqual(12);
  });

  test.each(examples)('$title answers as it says', async ({ command, answer }) => {
    expect(await typeIn(command)).toEqual(likeness(answer));
  });

  test('names the keys of the preset that have no effect', () => {
    for (const key of ['pgServices', 'grafserv', 'grafast']) {
      expect(served.stderr() + served.stdout()).toContain(`"${key}"`);
    }
  });

  test('has an application that stock PostGraphile serves with the same preset', async () => {
    process.env.DATABASE_URL = database.ownerUrl;
    const query = '{ allRepairs { nodes { headline customerByCustomerId { fullName } } } }';
    const url = pathToFileURL(path.join(folder, 'graphile.config.ts')).href;
    const { default: preset } = (await import(/* @vite-ignore */ url)) as {
      readonly default: GraphileConfig.Preset;
    };
    const { schema, resolvedPreset } = await makeSchema(preset);
    const args = { schema, document: parse(query), resolvedPreset, requestContext: {} };
    const { data, errors } = (await execute(await hookArgs(args))) as ExecutionResult;
    await resolvedPreset.pgServices?.[0]?.release?.();
    expect(errors).toBeUndefined();
    const answer = await typeIn(
      `curl -s http://127.0.0.1:5678/graphql -H "X-Gql-Admin-Secret: $SECRET" -H 'Content-Type: application/json' -d '${JSON.stringify({ query })}'`,
    );
    expect(answer).toEqual({ data });
  });
});
