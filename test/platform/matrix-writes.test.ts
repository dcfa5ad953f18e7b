import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Installation, install } from '../permissions/support/installation.ts';
import { type DemoCaller, variablesOf } from './caller.ts';

/** What somebody tries to write, and what comes of it. */
interface Attempt {
  readonly fact: string;
  readonly who: DemoCaller & { readonly as: string };
  readonly sql: string;
  /** How many rows are written. */
  readonly affects?: number;
  /** SQLSTATE of the refusal. */
  readonly refused?: string;
}

interface Group {
  readonly about: string;
  readonly facts: readonly Attempt[];
}

const folder = path.join(import.meta.dirname, 'writes');
const groups = readdirSync(folder).flatMap(
  (name) => parse(readFileSync(path.join(folder, name), 'utf8')) as readonly Group[],
);

let platform: Installation;
beforeAll(async () => {
  platform = await install({ from: 'platform', rules: 'metadata' });
});
afterAll(() => platform.drop());

async function outcome({ who, sql }: Attempt): Promise<Pick<Attempt, 'affects' | 'refused'>> {
  return platform.ask(who.as, variablesOf(who), sql).then(
    ({ affected }) => ({ affects: affected }),
    ({ code }: { code: string }) => ({ refused: code }),
  );
}

describe.each(groups)('$about', ({ facts }) => {
  test.each(facts)('$fact', async (attempt) => {
    const { affects, refused } = attempt;
    const expected = refused === undefined ? { affects } : { refused };
    expect(await outcome(attempt)).toEqual(expected);
  });
});
