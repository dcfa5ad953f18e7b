import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventWorld, makeEventWorld } from './support/event-world.ts';

let world: EventWorld;

beforeAll(async () => {
  world = await makeEventWorld();
  await world.fire('one', [{ data: { new: {} } }]);
});

afterAll(() => world.close());

test.each([
  [
    'cannot insert an event',
    `insert into rowgate_events.event (trigger, table_schema, table_name, op, data) values ('one', 'a', 'b', 'INSERT', '{}')`,
  ],
  ['cannot change the data of an event', `update rowgate_events.event set data = '{}'`],
  [
    'cannot change the session variables of an event',
    `update rowgate_events.event set session_variables = null`,
  ],
  ['cannot delete an event', 'delete from rowgate_events.event'],
  ['cannot delete an attempt', 'delete from rowgate_events.attempt'],
])(
  'the database login of event workers is refused when it tries to write: it %s',
  async (_title, statement) => {
    await expect(world.pool.query(statement)).rejects.toThrow('permission denied for table');
  },
);
