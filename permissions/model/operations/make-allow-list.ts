import type { Report } from '../../diagnostics.ts';
import type { RawAllowList } from '../../metadata/documents/read-listed-documents.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ListedDocument } from '../../types/operations.ts';
import { reportUnknownRoles } from '../roles/unknown-roles.ts';

/**
 * Returns the documents of the allow-list, each with the roles that may run it. Reports unknown collections and roles.
 */
export function makeAllowList(
  { collections, allow }: RawAllowList,
  roles: readonly string[],
  report: Report,
): readonly ListedDocument[] {
  const known = collections.map(({ name }) => name);
  const allowed = new Map<string, Set<string> | 'everybody'>();
  for (const { collection, roles: given } of allow) {
    const { name, position } = collection;
    if (!known.includes(name)) {
      const message = `there is no collection ${quote(name)}`;
      const hint = didYouMean(name, known) ?? 'name it under collections';
      report.error('RG_ALLOW_LIST', position, message, hint);
    }
    reportUnknownRoles(given ?? [], roles, report);
    const before = allowed.get(name) ?? new Set();
    if (!given || before === 'everybody') allowed.set(name, 'everybody');
    else allowed.set(name, new Set([...before, ...given.map((role) => role.name)]));
  }
  return collections.flatMap(({ name: collection, documents }) => {
    const listed = allowed.get(collection) ?? [];
    const allowedRoles = listed === 'everybody' ? listed : [...listed].sort();
    return documents.map((document) => ({ collection, ...document, roles: allowedRoles }));
  });
}
