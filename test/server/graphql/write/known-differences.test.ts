import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readDocumentation } from '../../../support/documentation.ts';
import { answering } from './known-differences/answering.ts';
import { startWorld, type World } from './known-differences/world.ts';
import { writing } from './known-differences/writing.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.gateway.stop());

beforeEach(async () => {
  const owner = await world.gateway.database.connectOwner();
  await owner.query(`truncate doc;
    insert into doc (id, owner, hidden, n) values (1, 'ann', false, 1), (2, 'bob', true, 2), (3, null, false, 0)`);
  await owner.end();
});

/**
 * A proof for each line of the documentation's table of known differences from Hasura, by the first cell of the line.
 */
const differences = { ...writing, ...answering };

test.each(Object.entries(differences))('%s', (_name, prove) => prove(world));

test('the documentation lists exactly the differences from Hasura that these tests prove', async () => {
  const documentation = readDocumentation();
  const section =
    documentation.split(/^#+ Known differences from Hasura$/m)[1]?.split(/^#/m)[0] ?? '';
  const listed = [...section.matchAll(/^\| (.+?) \| .+ \| .+ \|$/gm)].map(([, what]) => what);
  expect(listed).toEqual(['what', ...Object.keys(differences)]);
});
