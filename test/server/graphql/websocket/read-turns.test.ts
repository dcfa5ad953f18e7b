import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ReadTurns } from '../../../../server/graphql/transport/websocket/intake.ts';

test('ReadTurns resumes one waiting socket in each round of the event loop, in the order in which they began to wait', async () => {
  const turns = new ReadTurns();
  const had: string[] = [];
  turns.wait(() => {
    had.push('first');
    turns.wait(() => had.push('first again'));
  });
  turns.wait(() => had.push('second'));
  await nextRound();
  expect(had).toEqual(['first']);
  await nextRound();
  expect(had).toEqual(['first', 'second']);
  await nextRound();
  expect(had).toEqual(['first', 'second', 'first again']);
});
