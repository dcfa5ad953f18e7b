import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { startProgram } from '../../support/program.ts';
import { query } from '../../support/query.ts';
import { likeness, patternOf } from '../likeness.ts';
import type { Answer, Block } from './blocks.ts';
import type { World } from './worlds.ts';

const address = 'http://127.0.0.1:5678';

/** Runs an example and compares its answer with the answer that the page shows. */
export async function runBlock(block: Block, world: World): Promise<void> {
  if (block.file !== undefined) return writeBlock(block.file, block.text, world);
  if (block.language === 'sql') return runSql(block, world);
  if (block.language === 'graphql') return runGraphql(block, world);
  if (block.language === 'sh') return runShell(block, world);
  throw new Error(`nothing runs ${block.title}; name its file, or say why it is not run`);
}

async function writeBlock(file: string, text: string, world: World): Promise<void> {
  const target = path.join(world.folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, `${text}\n`);
  if (file.startsWith('metadata/')) world.changed();
}

async function runSql({ text, answer }: Block, world: World): Promise<void> {
  if (world.ownerUrl === undefined) throw new Error('the demo server has no SQL for examples');
  const rows = await query(world.ownerUrl, text);
  if (answer) expect(rows).toEqual(likeness(JSON.parse(answer.text)));
}

async function runGraphql({ text, headers, answer }: Block, world: World): Promise<void> {
  const response = await fetch(`${await world.serve()}/v1/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Gql-Admin-Secret': world.adminSecret(),
      ...headers,
    },
    body: JSON.stringify({ query: text }),
  });
  const body = (await response.json()) as { readonly errors?: unknown };
  if (answer) expect(body).toEqual(likeness(JSON.parse(answer.text)));
  else expect(body.errors).toBeUndefined();
}

async function runShell({ text, answer }: Block, world: World): Promise<void> {
  const lines = text.replaceAll('npm run -s rowgate --', 'rowgate').split('\n');
  const served = lines.find((line) => /^(?:npx )?rowgate serve/.test(line));
  const programs = lines.filter((line) => line.endsWith(' &'));
  const others = lines.filter((line) => line !== served && !programs.includes(line));
  const script = others.filter((line) => !isGiven(line, world)).join('\n');
  for (const line of programs) await startInBackground(line.slice(0, -2), world);
  if (script.trim() !== '') await compareScript(script, answer, world);
  if (served) {
    await world.serve(
      served
        .replace(/^(?:npx )?rowgate serve/, '')
        .split(' ')
        .filter(Boolean),
    );
  }
}

async function compareScript(script: string, answer: Answer | undefined, world: World) {
  const url = script.includes(address) ? await world.serve() : address;
  const shown = await runScript(script.replaceAll(address, url), world);
  expect(shown.code, shown.stdout + shown.stderr).toBe(answer?.exitCode ?? 0);
  if (answer?.language === 'json') {
    expect(JSON.parse(shown.stdout)).toEqual(likeness(JSON.parse(answer.text)));
  } else if (answer) {
    const text = (shown.stdout + shown.stderr).trim().replaceAll(url, address);
    expect(text).toMatch(patternOf(answer.text));
  }
}

/** Starts a program of the page in the background. Resolves when the program has written a line. */
async function startInBackground(command: string, world: World): Promise<void> {
  const options = { cwd: world.folder, env: world.environment };
  await startProgram('sh', ['-c', `exec ${command}`], options).firstLine();
}

/** Returns whether the test environment already has a value for the variable that this line sets. */
function isGiven(line: string, { environment }: World): boolean {
  const [, name = ''] = /^export (\w+)=/.exec(line) ?? [];
  return line.startsWith('SECRET=') || name in environment;
}

/** Runs a script. Variables that it sets stay set for later examples. */
async function runScript(script: string, world: World) {
  const kept = path.join(world.folder, '.kept');
  const names = [...script.matchAll(/^(?:export )?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  const keep = names.map((name) => `printf '%s\\0' "$${name}" >>'${kept}'`);
  const whole = ['set -eu', script, `: >'${kept}'`, ...keep].join('\n');
  const env = { ...world.environment, SECRET: world.adminSecret() };
  const shown = await promisify(execFile)('sh', ['-c', whole], { cwd: world.folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  if (shown.code === 0) {
    const values = (await readFile(kept, 'utf8')).split('\0');
    names.forEach((name, index) => {
      world.environment[name] = values[index] ?? '';
    });
  }
  return shown;
}
