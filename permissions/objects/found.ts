import type pg from 'pg';
import type { SqlText } from '../text/sql-text.ts';
import { readSeal } from './seal.ts';
import type { StateQuery } from './state-query.ts';
import type { FoundObject } from './types.ts';

/** What every reader of the state needs. */
export interface Context {
  readonly client: pg.ClientBase;
  readonly query: StateQuery;
  /** Oids of our roles and of the gateway's login. */
  readonly oids: readonly string[];
  /** Oids of the roles that take no other members. */
  readonly exclusiveOids: readonly string[];
  readonly loginOid: string | undefined;
  readonly foreignLogin: boolean;
}

export function found(
  parts: Omit<FoundObject, 'note'> & { readonly note?: string | undefined },
): FoundObject {
  return { note: undefined, ...parts };
}

/** A thing whose comment tells what it was; anything else about it has been altered. */
export function sealed(
  row: { readonly comment: string | null; readonly seal: string },
  facts: readonly string[],
  parts: {
    readonly kind: FoundObject['kind'];
    readonly id: string;
    readonly label: string;
    readonly drop: readonly SqlText[];
  },
): FoundObject {
  const seal = readSeal(row.comment);
  const intact = seal?.seal === row.seal;
  return found({
    ...parts,
    definition: intact ? JSON.stringify([...facts, seal.hash]) : 'altered',
    note: seal?.note,
  });
}
