/**
 * Whose a row is: `own` is the caller's in every way; `ownUser` and `ownFund` are of the caller's organization and
 * the caller's in that one way; `neighbour` is of the organization alone; `other` is of another organization.
 */
export type Party = 'own' | 'ownUser' | 'ownFund' | 'neighbour' | 'other';

/** The tables that session variables point to; each party has rows of its own there, except where it shares. */
export const organizations = 'public.organization';
export const people = 'public.user';
export const funds = 'public.fund';

/** The parties that a table gets rows for. */
export function partiesOf(table: string): readonly Party[] {
  if (table === organizations) return ['own', 'other'];
  if (table === people || table === funds) return ['own', 'neighbour', 'other'];
  return ['own', 'ownUser', 'ownFund', 'neighbour', 'other'];
}

/** Whose row of a parent table a row refers to. */
export function parentParty(party: Party, parent: string): Party {
  if (party === 'other') return 'other';
  if (parent === organizations) return 'own';
  if (parent === people) return party === 'own' || party === 'ownUser' ? 'own' : 'neighbour';
  if (parent === funds) return party === 'own' || party === 'ownFund' ? 'own' : 'neighbour';
  return party;
}

/** Whether there is one row and no more: the caller is one person of one organization. */
export function isAlone(party: Party, table: string): boolean {
  return party === 'own' && (table === organizations || table === people);
}

/** How many rows at least. */
export function rowsOf(party: Party, table: string, variants: number): number {
  if (party !== 'own') return 2;
  return isAlone(party, table) ? 1 : Math.max(2, variants);
}
