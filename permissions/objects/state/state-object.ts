import type { Position } from '../../diagnostics.ts';
import type { SqlText } from '../../text/sql-text.ts';

/** The kinds of database objects that apply makes, in the order in which they are created. */
export const stateKinds = [
  'role',
  'membership',
  'api function',
  'schema',
  'row security',
  'statistics',
  'call',
  'view',
  'function',
  'grant',
  'execute',
  'policy',
  'trigger',
  'fingerprint',
] as const;

export type StateKind = (typeof stateKinds)[number];

/** One object of the database that rules decide about. Equal ids name the same object. */
export interface StateObject {
  readonly kind: StateKind;
  readonly id: string;
  /** For output, e.g. `policy rowgate/investor/select on public.fund`. */
  readonly label: string;
  /** Everything that must be equal: two objects with equal ids and definitions need no change. */
  readonly definition: string;
  /** The place in the YAML, which may differ without a change of meaning. */
  readonly note: string | undefined;
}

/** An object as the metadata asks for it. */
export interface DesiredObject extends StateObject {
  readonly create: readonly SqlText[];
  /** Present where the object is changed in place; else it is dropped and created again. */
  readonly alter: readonly SqlText[] | undefined;
  /** Corrects the note where nothing else differs. */
  readonly annotate: readonly SqlText[];
  readonly position: Position | undefined;
}

/** An object as the database has it. */
export interface FoundObject extends StateObject {
  /** Empty where an object stays although no rule asks for it: a table stays locked down. */
  readonly drop: readonly SqlText[];
}

/** A table, view or sequence by its name. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
}

export interface DesiredParts {
  readonly kind: StateKind;
  readonly id: string;
  readonly label: string;
  readonly definition: string;
  readonly create: readonly SqlText[];
  readonly alter?: readonly SqlText[];
  readonly position?: Position | undefined;
}

/** A desired object whose catalog entry can be compared as it is, without a comment. */
export function desired(parts: DesiredParts): DesiredObject {
  return { note: undefined, alter: undefined, annotate: [], position: undefined, ...parts };
}

export function found(
  parts: Omit<FoundObject, 'note'> & { readonly note?: string | undefined },
): FoundObject {
  return { note: undefined, ...parts };
}

export function label(relation: Relation): string {
  return `${relation.schema}.${relation.name}`;
}
