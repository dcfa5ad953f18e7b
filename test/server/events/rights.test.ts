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
    'makes no event up',
    `insert into rowgate_events.event (trigger, table_schema, table_name, op, data) values ('one', 'a', 'b', 'INSERT', '{}')`,
  ],
  ['changes nothing of what an event says', `update rowgate_events.event set data = '{}'`],
  ['changes no session of an event', `update rowgate_events.event set session_variables = null`],
  ['deletes no event', 'delete from rowgate_events.event'],
  ['deletes no attempt', 'delete from rowgate_events.attempt'],
])(
  'the database login of event workers is refused when it tries to write: it %s',
  async (_title, statement) => {
    await expect(world.pool.query(statement)).rejects.toThrow('permission denied for table');
  },
);
