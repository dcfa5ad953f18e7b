import { quote } from '../../text/characters.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportedAllowList, PlainMap } from './imported.ts';
import { type Cursor, field, flag, items, members, required, text } from './input/cursor.ts';
import { isPossibleRole } from './possible-role.ts';

/** Translates `query_collections` and `allowlist` to allow_list.yaml. */
export function translateAllowList(root: Cursor, report: ImportReport): ImportedAllowList {
  const collections = new Map<string, readonly PlainMap[]>();
  for (const from of items(field(root, 'query_collections'))) {
    const name = text(required(from, 'name'));
    report.unknownKeys(
      members(from),
      ['name', 'comment', 'definition'],
      `collection ${quote(name)}`,
    );
    collections.set(name, operationsIn(required(from, 'definition'), name, report));
  }
  const entries = items(field(root, 'allowlist'));
  const allow = entries.flatMap((from): ImportedAllowList['allow'] => {
    const collection = text(required(from, 'collection'));
    const scope = field(from, 'scope');
    report.unknownKeys(members(from), ['collection', 'scope'], `the allow list`);
    if (!scope || flag(field(scope, 'global'))) return [{ collection, roles: undefined }];
    const roles = items(field(scope, 'roles')).filter((role) => isPossibleRole(role, report));
    return roles.length > 0 ? [{ collection, roles: roles.map(text) }] : [];
  });
  const [first] = entries;
  if (first) {
    const message = 'only listed operations are run where ROWGATE_ALLOW_LIST is true';
    const hint = 'set it if HASURA_GRAPHQL_ENABLE_ALLOWLIST is set in Hasura';
    report.add('change', first, `the allow list: ${message}`, hint);
  }
  return { collections, allow };
}

function operationsIn(
  definition: Cursor,
  collection: string,
  report: ImportReport,
): readonly PlainMap[] {
  const where = `collection ${quote(collection)}`;
  report.unknownKeys(members(definition), ['queries'], where);
  return items(field(definition, 'queries')).map((from) => {
    report.unknownKeys(members(from), ['name', 'query'], where);
    return new Map([
      ['name', text(required(from, 'name'))],
      ['query', text(required(from, 'query'))],
    ]);
  });
}
