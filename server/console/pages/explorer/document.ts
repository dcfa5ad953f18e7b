import { Kind, type OperationTypeNode, parse, visit } from 'graphql';

/** An operation of a document. */
export interface Operation {
  readonly name: string | undefined;
  readonly kind: `${OperationTypeNode}`;
}

export interface ReadDocument {
  /** Empty for a text that is no document. */
  readonly operations: readonly Operation[];
  /**
   * Why the document may stand neither in the address nor in the storage of the browser; absent if it may. Texts and
   * numbers in its arguments can be values of rows.
   */
  readonly unsavable: string | undefined;
}

/** Arguments whose numbers say how many rows to read, not which ones. */
const counts = ['limit', 'offset', 'first', 'last', 'batch_size'];

/** Returns the operations of a text; none if it is no document. */
export function readDocument(text: string): ReadDocument {
  const operations: Operation[] = [];
  let hasValues = false;
  const found = () => {
    hasValues = true;
  };
  try {
    visit(parse(text, { noLocation: true }), {
      [Kind.OPERATION_DEFINITION]: ({ name, operation }) =>
        void operations.push({ name: name?.value, kind: operation }),
      [Kind.ARGUMENT]: ({ name }) => (counts.includes(name.value) ? false : undefined),
      [Kind.STRING]: found,
      [Kind.INT]: found,
      [Kind.FLOAT]: found,
    });
  } catch {
    return { operations: [], unsavable: 'Complete the operation to save it.' };
  }
  const words = 'To save the operation, replace the values in its arguments by variables.';
  return { operations, unsavable: hasValues ? words : undefined };
}
