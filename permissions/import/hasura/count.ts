/**
 * Returns the end of a message about an item that is omitted with its permissions, e.g. `, with 3 permissions`; empty
 * for 0.
 */
export function withPermissions(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ', with 1 permission' : `, with ${count} permissions`;
}
