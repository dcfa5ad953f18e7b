import type {
  ExtensionRelationship,
  GraphileModel,
  OpenField,
  Position,
} from '../../permissions/index.ts';

/** Plugins of PostGraphile, what of them is open to which roles, and the tables that their types lead to. */
export interface Extension {
  /** Beside those of the preset that graphile.yaml names. */
  readonly plugins: readonly GraphileConfig.Plugin[];
  /** By root field; all others stay closed. */
  readonly fields: ReadonlyMap<string, OpenField>;
  readonly relationships: readonly ExtensionRelationship[];
  /** Where mistakes are reported that have no place of their own. */
  readonly position: Position;
}

/** What graphile.yaml opens of the preset that it names. */
export function presetExtension({ extensions, position }: GraphileModel): Extension {
  return { plugins: [], ...extensions, position };
}

/** The root fields that extensions open to a role. */
export function openFieldsOf(extensions: readonly Extension[], role: string): ReadonlySet<string> {
  const open = extensions.flatMap(({ fields }) =>
    [...fields].flatMap(([name, { roles }]) => (roles.has(role) ? [name] : [])),
  );
  return new Set(open);
}
