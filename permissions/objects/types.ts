import type { Position } from '../diagnostics.ts';
import type { SqlText } from '../text/sql-text.ts';

/** The kinds of things that apply makes, in the order in which they must come to be. */
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

/** One thing of the database that rules decide about. Equal ids name the same thing. */
export interface StateObject {
  readonly kind: StateKind;
  readonly id: string;
  /** What people read, e.g. `policy rowgate/investor/select on public.fund`. */
  readonly label: string;
  /** Everything that must be equal; two objects with equal ids and definitions need no change. */
  readonly definition: string;
  /** What may differ without a change of meaning: the place in the YAML. */
  readonly note: string | undefined;
}

/** A thing as the metadata wants it. */
export interface DesiredObject extends StateObject {
  readonly create: readonly SqlText[];
  /** Where the thing is changed in place rather than dropped and made anew. */
  readonly alter: readonly SqlText[] | undefined;
  /** Puts the note right where only that differs. */
  readonly annotate: readonly SqlText[];
  readonly position: Position | undefined;
}

/** A thing as the database has it. */
export interface FoundObject extends StateObject {
  /** Empty: it stays where nobody wants it, as a table stays locked down. */
  readonly drop: readonly SqlText[];
}
