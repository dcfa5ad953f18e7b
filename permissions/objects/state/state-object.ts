import type { Position } from '../../diagnostics.ts';
import type { SqlText } from '../../text/sql-text.ts';

/** The kinds of objects that apply makes, in the order of creation. */
export const stateKinds = [
  'role',
  'membership',
  'api function',
  'login schema',
  'schema',
  'row security',
  'statistics',
  'call',
  'view',
  'function',
  'login view',
  'grant',
  'execute',
  'copied privilege',
  'policy',
  'trigger',
  'fingerprint',
] as const;

export type StateKind = (typeof stateKinds)[number];

/** A database object that Rowgate manages, in its desired or its actual state. Equal ids identify the same object. */
export interface StateObject {
  readonly kind: StateKind;
  readonly id: string;
  /** Label for output, e.g. `policy rowgate/investor/select on public.fund`. */
  readonly label: string;
  /**
   * Describes the object for comparison: when the found definition equals the desired one, the object needs no change.
   */
  readonly definition: string;
  /** The place in the YAML. When only the place differs, apply corrects the comment of the object. */
  readonly note: string | undefined;
}

/** An object as the metadata needs it. */
export interface DesiredObject extends StateObject {
  readonly create: readonly SqlText[];
  /** Statements that change the object in place; undefined: the object is dropped and created again. */
  readonly alter: readonly SqlText[] | undefined;
  /** Statements that correct the place in the object's comment when nothing else differs. */
  readonly annotate: readonly SqlText[];
  readonly position: Position | undefined;
}

/** An object as it exists in the database. */
export interface FoundObject extends StateObject {
  /**
   * Statements that drop the object. Empty: the object stays although no rule needs it, e.g. row security, which keeps
   * a table closed.
   */
  readonly drop: readonly SqlText[];
}

/** A table, view or sequence by its name. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
}

/** Statements, or a function that makes them. Most objects need no change, so most statements are never made. */
export type Statements = readonly SqlText[] | (() => readonly SqlText[]);

export interface DesiredParts {
  readonly kind: StateKind;
  readonly id: string;
  readonly label: string;
  readonly definition: string;
  readonly create: Statements;
  readonly annotate?: Statements;
  readonly note?: string | undefined;
  readonly alter?: readonly SqlText[] | undefined;
  readonly position?: Position | undefined;
}

/** Makes a desired object whose catalog entry can be compared directly, without a comment. */
export function desired(parts: DesiredParts): DesiredObject {
  const { kind, id, label, definition, note, alter, position } = parts;
  let { create, annotate = [] } = parts;
  return {
    ...{ kind, id, label, definition, note, alter, position },
    get create() {
      create = made(create);
      return create;
    },
    get annotate() {
      annotate = made(annotate);
      return annotate;
    },
  };
}

export type FoundParts = Omit<FoundObject, 'note' | 'drop'> & {
  readonly note?: string | undefined;
  readonly drop: Statements;
};

export function found({ kind, id, label, definition, note, drop }: FoundParts): FoundObject {
  return {
    ...{ kind, id, label, definition, note },
    get drop() {
      return made(drop);
    },
  };
}

export function made(statements: Statements): readonly SqlText[] {
  return typeof statements === 'function' ? statements() : statements;
}

export function label(relation: Relation): string {
  return `${relation.schema}.${relation.name}`;
}
