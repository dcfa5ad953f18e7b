import type { Operation, ReadDocument } from './document.ts';
import type { Draft } from './draft.ts';
import { parseHeaders } from './headers.tsx';
import type { Question } from './run-operation.ts';

/** A draft that can be sent. */
export interface Prepared {
  readonly question: Question;
  readonly operation: Operation;
  readonly problem?: undefined;
}

interface Unprepared {
  readonly question?: undefined;
  readonly operation: Operation | undefined;
  /** What is wrong, and what to do. */
  readonly problem: string;
}

/** Makes the request of a draft, or says why it cannot be sent. */
export function prepare(
  role: string,
  { text, operationName, variables, headers, others }: Draft,
  { operations }: ReadDocument,
): Prepared | Unprepared {
  const operation = operations.find(({ name }) => name === operationName) ?? operations[0];
  const refused = (problem: string) => ({ operation, problem });
  if (!operation) return refused('The operation is not complete; the editor marks the place');
  try {
    if (variables.trim() !== '') JSON.parse(variables);
  } catch {
    return refused('The variables are not JSON; the editor marks the place');
  }
  try {
    const all = { ...headers, ...parseHeaders(others) };
    const named = { query: text, operationName: operation.name };
    return { operation, question: { role, ...named, variables, headers: all } };
  } catch (error) {
    return refused((error as Error).message);
  }
}
