import { RequestError } from '../request-error.ts';

/**
 * Maximum number of selections, far above the needs of real operations. Fragment spreads multiply, so a small document
 * can contain billions of selections.
 */
const MAX_SELECTIONS = 20_000;

/**
 * Maximum number of selections in introspection, which only this process answers. The usual query for the whole schema
 * selects a third of this number.
 */
const MAX_INTROSPECTION = 1000;

/** Counts the selections and fields of one operation; a fragment counts at each place where it is spread. */
export class NodeCounter {
  readonly #maxNodes: number | undefined;
  #selections = 0;
  #introspection = 0;
  #nodes = 0;

  /** @param maxNodes the node limit of the role; undefined: MAX_SELECTIONS alone limits the operation */
  constructor(maxNodes: number | undefined) {
    this.#maxNodes = maxNodes;
  }

  /** Counts a field, a fragment spread or an inline fragment. @throws RequestError */
  countSelection(isIntrospection: boolean): void {
    this.#selections += 1;
    if (isIntrospection) {
      this.#introspection += 1;
      if (this.#introspection > MAX_INTROSPECTION) {
        throw tooManyFields(MAX_INTROSPECTION, 'fields of introspection');
      }
    } else if (this.#selections > MAX_SELECTIONS) throw tooManyFields(MAX_SELECTIONS, 'fields');
  }

  /**
   * Counts a field against the node limit of the role. `__typename` does not count, because client libraries add it.
   * @throws RequestError
   */
  countField(name: string, isIntrospection: boolean): void {
    if (this.#maxNodes === undefined || isIntrospection || name.startsWith('__')) return;
    this.#nodes += 1;
    if (this.#nodes > this.#maxNodes) throw tooManyFields(this.#maxNodes, 'fields');
  }
}

function tooManyFields(max: number, what: string): RequestError {
  return new RequestError('node-limit-exceeded', `the operation selects more than ${max} ${what}`);
}
