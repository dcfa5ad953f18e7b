import type { DocumentNode } from 'graphql';
import { documentDigest } from './document-digest.ts';

/** The result of parsing a document: the digest, or the problem with its line and column in the text (from 1). */
export type ParsedDocument =
  | { readonly kind: 'document'; readonly digest: string }
  | {
      readonly kind: 'problem';
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

/** Parses the text of one document. */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  // Loaded on demand, because most metadata has no allow-list.
  const { GraphQLError, parse } = await import('graphql');
  try {
    const document = parse(text, { noLocation: true });
    const message = problemOf(document);
    if (message !== undefined) return { kind: 'problem', message, line: 1, column: 1 };
    return { kind: 'document', digest: documentDigest(document) };
  } catch (error) {
    if (error instanceof RangeError) {
      return { kind: 'problem', message: 'it is nested too deeply', line: 1, column: 1 };
    }
    if (!(error instanceof GraphQLError)) throw error;
    const { line = 1, column = 1 } = error.locations?.[0] ?? {};
    return { kind: 'problem', message: error.message, line, column };
  }
}

function problemOf({ definitions }: DocumentNode): string | undefined {
  const other = definitions.find(
    ({ kind }) => kind !== 'OperationDefinition' && kind !== 'FragmentDefinition',
  );
  if (other) return 'it holds more than operations and fragments';
  if (!definitions.some(({ kind }) => kind === 'OperationDefinition'))
    return 'it holds no operation';
  return undefined;
}
