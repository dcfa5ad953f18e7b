/**
 * The owner of a row. `own`: the caller owns the row in every way. `ownUser` and `ownFund`: the row belongs to the
 * caller's organization, and to the caller only as a person or only by the fund. `neighbour`: the row belongs to the
 * caller's organization only. `other`: the row belongs to another organization.
 */
export type Party = 'own' | 'ownUser' | 'ownFund' | 'neighbour' | 'other';

/** Tables to which session variables refer. Each party has its own rows in them, except where parties share a row. */
export const organizations = 'public.organization';
export const people = 'public.user';
export const funds = 'public.fund';

/** Returns the owners for whom the test inserts rows into a table. */
export function partiesOf(table: string): readonly Party[] {
  if (table === organizations) return ['own', 'other'];
  if (table === people || table === funds) return ['own', 'neighbour', 'other'];
  return ['own', 'ownUser', 'ownFund', 'neighbour', 'other'];
}

/** Returns the party whose row of a parent table a row refers to. */
export function parentParty(party: Party, parent: string): Party {
  if (party === 'other') return 'other';
  if (parent === organizations) return 'own';
  if (parent === people) return party === 'own' || party === 'ownUser' ? 'own' : 'neighbour';
  if (parent === funds) return party === 'own' || party === 'ownFund' ? 'own' : 'neighbour';
  return party;
}

/** Returns whether exactly one row exists, because the caller is one person of one organization. */
export function isAlone(party: Party, table: string): boolean {
  return party === 'own' && (table === organizations || table === people);
}

/** Returns the minimum number of rows of this owner that the test inserts. */
export function rowsOf(party: Party, table: string, variants: number): number {
  if (party !== 'own') return 2;
  return isAlone(party, table) ? 1 : Math.max(2, variants);
}
