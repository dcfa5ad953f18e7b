import type pg from 'pg';
import type { Model } from '../../../permissions/index.ts';
import type {
  Chosen,
  ConsoleSection,
  SectionAct,
  SectionChoice,
  SectionList,
} from '../../console/sections/section.ts';
import { endSessions } from '../accounts/sessions/session-table.ts';
import {
  grantRole,
  type ListedPerson,
  listPeople,
  revokeRole,
} from '../accounts/users/people-table.ts';
import { count, pageOf, refuseMissing } from './pages.ts';
import { makeSessionList } from './session-list.ts';

export interface PeopleServices {
  readonly model: () => Model;
  /** Ends the open subscriptions of a person whose access has ended. */
  readonly accessEnded: (person: string) => void;
}

/** Makes the section of people, their roles and their sessions. */
export function makePeopleSection(services: PeopleServices): ConsoleSection {
  return {
    name: 'people',
    title: 'People',
    lists: [peopleList(services), makeSessionList(services)],
  };
}

function peopleList(services: PeopleServices): SectionList {
  return {
    name: 'people',
    title: 'People',
    description: 'Everyone who can sign in. A change of roles counts from the next request on.',
    search: 'Part of a name or e-mail address, an id, or a role',
    columns: [
      { title: 'E-mail address' },
      { title: 'Name' },
      { title: 'Organization' },
      { title: 'Roles', kind: 'code' },
      { title: 'Sessions' },
      { title: 'State' },
      { title: 'Id', kind: 'code' },
    ],
    empty:
      'Nobody matches. Write a shorter part of the name or e-mail address, or a whole id or role.',
    acts: [grantAct(services), revokeAct(services), endAllAct(services)],
    read: async (client, { search, after, limit }) => {
      const people = await listPeople(client, { search, after, limit: limit + 1 });
      return pageOf(people, limit, {
        rowOf: (person) => ({ key: person.id, cells: cellsOf(person) }),
        placeOf: ({ email, id }) => [email, id],
      });
    },
  };
}

function cellsOf(person: ListedPerson) {
  const { id, name, email, organization, roles, sessions, isActive, isPlatformAdmin } = person;
  const state = isActive ? 'active' : 'disabled';
  return [
    ...[email, name, organization, roles.join(', '), String(sessions)],
    ...[isPlatformAdmin ? `${state}, admin of the platform` : state, id],
  ];
}

/** The role admin is not among them: it belongs to the admin secret. */
function rolesOf({ model }: PeopleServices): SectionChoice {
  const names = () => [...model().roles.keys()].filter((name) => name !== 'admin');
  return { title: 'Role', names };
}

function grantAct(services: PeopleServices): SectionAct {
  return {
    name: 'grant',
    title: 'Grant the role',
    choice: rolesOf(services),
    words: async (client, chosen) => {
      const people = await peopleIn(client, chosen);
      return {
        question: `Grant the role ${chosen.choice} to ${countPeople(people.length)}?`,
        lines: [
          ...people.map(
            (person) =>
              `${wordsFor(person)} ${person.roles.includes(chosen.choice) ? 'has it already' : 'gets it'}.`,
          ),
          'They can act in the role from their next request on. Revoking the role undoes this.',
        ],
      };
    },
    run: async (client, { keys, choice }) => {
      const changed = await grantRole(client, keys, choice);
      return { done: `Granted the role ${choice} to ${countPeople(changed.length)}.` };
    },
  };
}

function revokeAct(services: PeopleServices): SectionAct {
  return {
    name: 'revoke',
    title: 'Revoke the role',
    choice: rolesOf(services),
    words: async (client, chosen) => {
      const people = await peopleIn(client, chosen);
      return {
        question: `Revoke the role ${chosen.choice} of ${countPeople(people.length)}?`,
        lines: [
          ...people.map(
            (person) =>
              `${wordsFor(person)} ${person.roles.includes(chosen.choice) ? 'loses it' : 'does not have it'}.`,
          ),
          'Their next request in the role is refused. Granting the role again undoes this.',
        ],
      };
    },
    run: async (client, { keys, choice }) => {
      const changed = await revokeRole(client, keys, choice);
      return {
        done: `Revoked the role ${choice} of ${countPeople(changed.length)}.`,
        afterwards: () => changed.forEach(services.accessEnded),
      };
    },
  };
}

function endAllAct({ accessEnded }: PeopleServices): SectionAct {
  return {
    name: 'end-sessions',
    title: 'End all their sessions',
    words: async (client, chosen) => {
      const people = await peopleIn(client, chosen);
      return {
        question: `End all sessions of ${countPeople(people.length)}?`,
        lines: [
          ...people.map(
            (person) => `${wordsFor(person)} loses ${count(person.sessions, 'session')}.`,
          ),
          'This cannot be undone, but they can sign in again. Tokens of the identity provider are no sessions: they are valid until they expire.',
        ],
      };
    },
    run: async (client, { keys }) => {
      let ended = 0;
      for (const key of keys) ended += await endSessions(client, key, '');
      return {
        done: `Ended ${count(ended, 'session')}.`,
        afterwards: () => keys.forEach(accessEnded),
      };
    },
  };
}

async function peopleIn(client: pg.ClientBase, { keys }: Chosen): Promise<readonly ListedPerson[]> {
  const people = await listPeople(client, { ids: keys, limit: keys.length });
  refuseMissing(people, keys);
  return people;
}

function wordsFor({ email, id, organization }: ListedPerson): string {
  return `${email} (${id}) of ${organization}`;
}

function countPeople(number: number): string {
  return number === 1 ? '1 person' : `${number} people`;
}
