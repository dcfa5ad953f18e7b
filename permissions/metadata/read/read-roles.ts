import type { RawMetadata, RawRole, RawSettings } from '../raw.ts';
import type { RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf } from '../yaml/raw-access.ts';
import { readLimits, readSwitch } from './read-limits.ts';

/** The roles of a valid roles.yaml, in its order. */
export function readRoles(root: RawNode): readonly RawRole[] {
  return entriesOf(fieldOf(root, 'roles')).map((entry) => ({
    ...keyOf(entry),
    group: textOr('', fieldOf(entry.value, 'group')),
    purpose: textOr('', fieldOf(entry.value, 'purpose')),
    requires: itemsOf(fieldOf(entry.value, 'requires')).map(nameOf),
    inherits: itemsOf(fieldOf(entry.value, 'inherits')).map(nameOf),
    limits: readLimits(fieldOf(entry.value, 'limits')),
    introspection: readSwitch(fieldOf(entry.value, 'introspection')),
  }));
}

/** The named filters of a valid filters.yaml, in its order. */
export function readFilters(root: RawNode): RawMetadata['filters'] {
  return entriesOf(fieldOf(root, 'filters')).map((entry) => ({
    name: keyOf(entry),
    filter: entry.value,
  }));
}

/** A valid rowgate.yaml; what it does not say is off, but for default relationships. */
export function readSettings(root: RawNode | undefined): RawSettings {
  const flag = (key: string, fallback: boolean) => {
    const node = root && fieldOf(root, key);
    return node?.kind === 'scalar' ? node.value === true : fallback;
  };
  return {
    strictKeys: flag('strict_keys', false),
    referencesVisible: flag('references_visible', false),
    defaultRelationships: flag('default_relationships', true),
    variables: entriesOf(root && fieldOf(root, 'variables')).map(keyOf),
  };
}

function textOr(fallback: string, node: RawNode | undefined): string {
  return node ? nameOf(node).name : fallback;
}
