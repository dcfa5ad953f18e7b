import { type TObject, Type } from 'typebox';
import type { ApiAnswer } from '../../../http/endpoint/api-operation.ts';
import { documentsTag } from '../../api-tags.ts';
import type { DocumentFormat } from './entity-tag.ts';

/** The facts about a kind of document for the API documentation. */
export interface Described {
  /** The path in the syntax of OpenAPI. Its parameter is the id of the printed object. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Available formats; the first format is the default. */
  readonly formats: readonly [DocumentFormat, ...DocumentFormat[]];
  /** Whether the document may contain internal parts that clients must not see. */
  readonly hasInternals?: boolean;
}

/**
 * Describes the endpoint of a document for the API documentation.
 * @param callerHeaders headers that identify the caller
 * @param roleHeader the header that selects a role
 */
export function describe(
  document: Described,
  callerHeaders: readonly string[],
  roleHeader: string,
) {
  const { path, operationId, summary, description, formats, hasInternals } = document;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // Any text is accepted, because a text that is not a UUID simply identifies no document.
  const id = Type.String({ description: 'A UUID' });
  const params: TObject = Type.Object(Object.fromEntries(names.map((name) => [name, id])));
  const known = {
    format: Type.Optional(Type.Enum([...formats], { description: `By default ${formats[0]}` })),
    ...(hasInternals && {
      copy: Type.Optional(
        Type.Enum(['client'], {
          description: 'Leaves out internal parts, for documents that are sent to clients',
        }),
      ),
    }),
  };
  // Unknown parameters are refused, because a misspelled `audience` would include the internal parts.
  const query = Type.Object(known, { additionalProperties: false });
  return {
    ...({ method: 'get', tag: documentsTag, path, operationId, summary, description } as const),
    headers: {
      [roleHeader]:
        'The role in which to read; default: the first of the caller’s roles that sees the document',
      'If-None-Match': 'The `ETag` of the version that the client has',
      'If-Modified-Since': 'Used without If-None-Match: the `Last-Modified` that the client has',
    },
    params,
    query,
    answers: answersOf(formats, [...callerHeaders, roleHeader].join(', ')),
  };
}

function answersOf(
  formats: readonly DocumentFormat[],
  variesBy: string,
): Readonly<Record<number, ApiAnswer>> {
  const validators = {
    ETag: 'Identifies this version of the document',
    'Last-Modified': 'Present when the caller may see when each part of the document changed',
    Vary: variesBy,
  };
  const content = {
    ...(formats.includes('html') && {
      'text/html': Type.String({ description: 'A page that loads nothing from elsewhere' }),
    }),
    ...(formats.includes('pdf') && { 'application/pdf': 'binary' as const }),
  };
  return {
    200: {
      description: 'The document',
      content,
      headers: { ...validators, 'Content-Disposition': '`inline`, with a file name' },
    },
    304: { description: 'The client has the current version', headers: validators },
    403: { description: 'The caller lacks the requested role or the scope' },
    404: { description: 'The document does not exist, or the rules hide it' },
    422: {
      description: 'The document has too many rows, or too much text for a PDF',
    },
    503: {
      description: 'The database does not answer, or too many documents are being rendered',
      headers: { 'Retry-After': 'Seconds until the next try' },
    },
  };
}
