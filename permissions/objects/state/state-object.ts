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
  /**
   * Id of an object that apply makes only together with this one. If only this one was never made, its table became a
   * partition or an inheriting table after the last apply.
   */
  readonly impliedBy: string | undefined;
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
  readonly impliedBy?: string | undefined;
}

/** Makes a desired object whose catalog entry can be compared directly, without a comment. */
export function desired(parts: DesiredParts): DesiredObject {
  return new Desired(parts);
}

// Classes, because V8 needs much more memory and time for tens of thousands of objects with getters of their own.
class Desired implements DesiredObject {
  readonly kind: StateKind;
  readonly id: string;
  readonly label: string;
  readonly definition: string;
  readonly note: string | undefined;
  readonly alter: readonly SqlText[] | undefined;
  readonly position: Position | undefined;
  readonly impliedBy: string | undefined;
  #create: Statements;
  #annotate: Statements;

  constructor(parts: DesiredParts) {
    this.kind = parts.kind;
    this.id = parts.id;
    this.label = parts.label;
    this.definition = parts.definition;
    this.note = parts.note;
    this.alter = parts.alter;
    this.position = parts.position;
    this.impliedBy = parts.impliedBy;
    this.#create = parts.create;
    this.#annotate = parts.annotate ?? [];
  }

  get create(): readonly SqlText[] {
    this.#create = made(this.#create);
    return this.#create;
  }

  get annotate(): readonly SqlText[] {
    this.#annotate = made(this.#annotate);
    return this.#annotate;
  }
}

export type FoundParts = Omit<FoundObject, 'note' | 'drop'> & {
  readonly note?: string | undefined;
  readonly drop: Statements;
};

export function found(parts: FoundParts): FoundObject {
  return new Found(parts);
}

class Found implements FoundObject {
  readonly kind: StateKind;
  readonly id: string;
  readonly label: string;
  readonly definition: string;
  readonly note: string | undefined;
  readonly #drop: Statements;

  constructor(parts: FoundParts) {
    this.kind = parts.kind;
    this.id = parts.id;
    this.label = parts.label;
    this.definition = parts.definition;
    this.note = parts.note;
    this.#drop = parts.drop;
  }

  get drop(): readonly SqlText[] {
    return made(this.#drop);
  }
}

export function made(statements: Statements): readonly SqlText[] {
  return typeof statements === 'function' ? statements() : statements;
}

export function label(relation: Relation): string {
  return `${relation.schema}.${relation.name}`;
}
