import { type DocumentNode, visit } from 'postgraphile/graphql';
import { maxJsonDepth } from '../json.ts';
import { RequestError } from '../request-error.ts';

/** Maximum levels of nested fragments. Recursive functions process them, so deeper nesting could overflow the stack. */
const MAX_FRAGMENT_DEPTH = 500;

/** The error of an operation that exceeds ROWGATE_MAX_DEPTH, or the depth limit of its role. */
export function tooDeep(maxDepth: number, path = '$'): RequestError {
  const message = `the operation is nested deeper than ${maxDepth} levels`;
  return new RequestError('depth-limit-exceeded', message, path);
}

/** Checks the depth of a selection set. @throws RequestError */
export function checkDepth(
  { depth, fragments, path }: SelectionDepth,
  { maxDepth }: { readonly maxDepth: number },
): void {
  if (depth > maxDepth) throw tooDeep(maxDepth, path);
  if (fragments > MAX_FRAGMENT_DEPTH) throw tooDeep(MAX_FRAGMENT_DEPTH, path);
}

interface SelectionDepth {
  /** 1 for the root fields. 0 inside introspection, which has a separate limit. */
  readonly depth: number;
  /** Number of fragments around the selection set. */
  readonly fragments: number;
  readonly path: string;
}

/**
 * Refuses a document with values nested deeper than JSON may be. Recursive functions process them, so deeper nesting
 * could overflow the stack.
 * @throws RequestError
 */
export function checkValueDepth(document: DocumentNode): void {
  let depth = 0;
  const level = {
    enter: () => {
      depth += 1;
      if (depth > maxJsonDepth) throw tooDeep(maxJsonDepth, '$.query');
    },
    leave: () => {
      depth -= 1;
    },
  };
  visit(document, { ListValue: level, ObjectValue: level });
}

/** Limits how many relationships one condition or ordering follows. */
export class ConditionDepth {
  readonly #maxDepth: number;
  #depth = 0;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /**
   * Runs `compile` one relationship deeper.
   * @throws RequestError when the limit is exceeded
   */
  enter<T>(compile: () => T): T {
    if (this.#depth >= this.#maxDepth) throw tooDeep(this.#maxDepth);
    this.#depth += 1;
    try {
      return compile();
    } finally {
      this.#depth -= 1;
    }
  }
}
