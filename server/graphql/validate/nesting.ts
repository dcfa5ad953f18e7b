import { type DocumentNode, visit } from 'postgraphile/graphql';
import { maxDepth } from '../json.ts';
import { tooDeep } from '../request-error.ts';

/**
 * Refuses a document with values nested deeper than JSON may be: whatever walks through them does so on the stack.
 * @throws RequestError
 */
export function checkNesting(document: DocumentNode): void {
  let depth = 0;
  const level = {
    enter: () => {
      depth += 1;
      if (depth > maxDepth) throw tooDeep(maxDepth, '$.query');
    },
    leave: () => {
      depth -= 1;
    },
  };
  visit(document, { ListValue: level, ObjectValue: level });
}
