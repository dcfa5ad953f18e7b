import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const lines = readFileSync(path.join(root, 'Dockerfile'), 'utf8').split('\n');
const admitted = readFileSync(path.join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

const copied = lines
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap((line) => line.split(' ').slice(1, -1));

test('every stage of the Dockerfile is based on Node 24', () => {
  const bases = lines.filter((line) => line.startsWith('FROM '));
  expect(bases.every((line) => /^FROM node:24(-slim)?( AS \w+)?$/.test(line))).toBe(true);
});

test('every file that the Dockerfile copies exists and is admitted by .dockerignore', () => {
  expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(copied.filter((file) => !admitted.includes(file))).toEqual([]);
});

test('the image runs in production mode, as the user node', () => {
  const user = lines.indexOf('USER node');
  const entry = lines.findIndex((line) => line.startsWith('ENTRYPOINT '));
  expect(user).toBeGreaterThan(0);
  expect(entry).toBeGreaterThan(user);
  expect(lines.join('\n')).toContain('NODE_ENV=production');
});
