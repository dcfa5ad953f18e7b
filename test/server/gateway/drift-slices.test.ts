import { setImmediate as nextRound } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoleModel } from '../../../permissions/index.ts';
import { watchDrift } from '../../../server/gateway/drift-watch.ts';
import { type Installation, makeInstallation } from '../../permissions/support/installation.ts';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';

/** Longer than a slice. */
const ROLE_MS = 10;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({
    schema: 'create table note (id int primary key)',
    rules: {
      'roles.yaml': 'roles: { first: {}, second: {} }\n',
      'tables/note.yaml':
        'table: note\npermissions: { first: { select: { filter: {}, columns: [id] } }, second: { select: { filter: {}, columns: [id] } } }\n',
    },
  });
  await made.apply();
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Roles each of which takes longer than a slice to be compiled. */
class SlowRoles extends Map<string, RoleModel> {
  readonly #log: string[];

  constructor(roles: ReadonlyMap<string, RoleModel>, log: string[]) {
    super(roles);
    this.#log = log;
  }

  override *values(): MapIterator<RoleModel> {
    for (const role of super.values()) {
      const end = performance.now() + ROLE_MS;
      while (performance.now() < end);
      this.#log.push(role.name);
      yield role;
    }
  }
}

test('other work runs while the check for drift compiles the rules', async () => {
  const { model } = (await made.prepare()).loaded;
  const log: string[] = [];
  const slow = { ...model, roles: new SlowRoles(model.roles, log) };
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextRound();
      log.push('other');
    }
  })();
  const login = new URL(made.database.ownerUrl).username;
  const watch = await watchDrift({
    url: made.database.ownerUrl,
    subject: () => ({ model: slow, login }),
    intervalMs: 3_600_000,
    logger: pino({ level: 'silent' }),
  });
  isOver = true;
  await Promise.all([others, watch.close()]);
  expect(log.join(' ')).toMatch(/first (?:other )+second/);
});
