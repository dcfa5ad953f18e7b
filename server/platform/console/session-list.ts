import type pg from 'pg';
import type { Chosen, SectionList } from '../../console/sections/section.ts';
import {
  endSessions,
  type ListedSession,
  listSessions,
} from '../accounts/sessions/session-table.ts';
import { count, pageOf, refuseMissing, wordsForTime } from './pages.ts';

export interface SessionListServices {
  /** Ends the open subscriptions of a person whose access has ended. */
  readonly accessEnded: (person: string) => void;
}

/** Makes the list of the sessions of one person. */
export function makeSessionList({ accessEnded }: SessionListServices): SectionList {
  return {
    name: 'sessions',
    title: 'Sessions',
    description: 'The current sessions. Their ids are digests, which open nothing.',
    of: 'people',
    columns: [
      { title: 'Id', kind: 'code' },
      { title: 'Begun', kind: 'time' },
      { title: 'Ends', kind: 'time' },
      { title: 'Browser' },
    ],
    empty: 'No session. The person may have a token of the identity provider nevertheless.',
    acts: [
      {
        name: 'end',
        title: 'End the sessions',
        words: async (client, chosen) => {
          const sessions = await sessionsIn(client, chosen);
          return {
            question: `End ${count(sessions.length, 'session')} of ${chosen.of}?`,
            lines: [
              ...sessions.map(
                ({ id, createdAt, userAgent }) =>
                  `${id}, begun ${wordsForTime(createdAt)}${userAgent === '' ? '' : `, ${userAgent}`}`,
              ),
              'This cannot be undone, but the person can sign in again.',
            ],
          };
        },
        run: async (client, chosen) => {
          let ended = 0;
          for (const { id } of await sessionsIn(client, chosen)) {
            ended += await endSessions(client, chosen.of, id);
          }
          return {
            done: `Ended ${count(ended, 'session')}.`,
            afterwards: () => accessEnded(chosen.of),
          };
        },
      },
    ],
    read: async (client, { of, after = [], limit }) =>
      pageOf(await listSessions(client, of, { after, limit: limit + 1 }), limit, {
        rowOf: ({ id, createdAt, expiresAt, userAgent }) => ({
          key: id,
          cells: [id, createdAt, expiresAt, userAgent],
        }),
        placeOf: ({ createdAt, id }) => [createdAt, id],
      }),
  };
}

/** Finds the chosen sessions. Only their whole ids are accepted: the beginning of an id could mean several. */
async function sessionsIn(
  client: pg.ClientBase,
  { of, keys }: Chosen,
): Promise<readonly ListedSession[]> {
  const sessions = (await listSessions(client, of)).filter(({ id }) => keys.includes(id));
  refuseMissing(sessions, keys);
  return sessions;
}
