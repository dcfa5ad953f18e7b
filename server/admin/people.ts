import type pg from 'pg';
import type { Model } from '../../permissions/index.ts';
import type { Caller } from '../caller/authenticate.ts';

/** A person whom an application registers. */
export interface Person {
  /** The name or address by which admins know the person. */
  readonly name: string;
  /** One caller for each role of the person. */
  readonly callers: readonly Pick<Caller, 'role' | 'variables'>[];
}

/**
 * Finds at most 20 people by a part of their names, ids or addresses.
 * @param client a connection of the login that applies rules, in a transaction that is rolled back
 */
export type FindPeople = (
  client: pg.ClientBase,
  text: string,
  model: Model,
) => Promise<readonly Person[]>;
