import { type TObject, Type } from 'typebox';
import type { Answer } from '../../../http/operation.ts';
import type { DocumentFormat } from './entity-tag.ts';

/** One document, as far as its documentation goes. */
export interface Described {
  /** As OpenAPI writes it; a parameter of it is the id of what is printed. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The first is what is sent where nobody says. */
  readonly formats: readonly [DocumentFormat, ...DocumentFormat[]];
  /** Whether it may hold what is not for the one it is sent to. */
  readonly hasInternals?: boolean;
}

/**
 * @param callerHeaders those that say who asks
 * @param roleHeader the one that chooses a role
 */
export function describe(
  document: Described,
  callerHeaders: readonly string[],
  roleHeader: string,
) {
  const { path, operationId, summary, description, formats, hasInternals } = document;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // Any text: what is no UUID is the id of nothing.
  const id = Type.String({ description: 'A UUID' });
  const params: TObject = Type.Object(Object.fromEntries(names.map((name) => [name, id])));
  const known = {
    format: Type.Optional(Type.Enum([...formats], { description: `By default ${formats[0]}` })),
    ...(hasInternals && {
      copy: Type.Optional(
        Type.Enum(['client'], { description: 'To send on: leaves out what is internal' }),
      ),
    }),
  };
  // A slip in a name must not send on what it was to leave out.
  const query = Type.Object(known, { additionalProperties: false });
  return {
    ...({ method: 'get', tag: 'documents', path, operationId, summary, description } as const),
    headers: {
      [roleHeader]:
        'Under which role to read; without it, the first of one’s own that sees the document',
      'If-None-Match': 'The `ETag` that the client has',
      'If-Modified-Since': 'Where there is no If-None-Match: the `Last-Modified` that it has',
    },
    params,
    query,
    answers: answersOf(formats, [...callerHeaders, roleHeader].join(', ')),
  };
}

function answersOf(
  formats: readonly DocumentFormat[],
  variesBy: string,
): Readonly<Record<number, Answer>> {
  const validators = {
    ETag: 'Names this very document',
    'Last-Modified': 'Where the one who asks may see when each part of it changed',
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
      headers: { ...validators, 'Content-Disposition': 'inline, with a name for the file' },
    },
    304: { description: 'The client has it', headers: validators },
    403: { description: 'The role is not among those of the one who asks, or the scope is not' },
    404: { description: 'There is no such document, or the rules hide it' },
    422: {
      description: 'It has more rows than may be read at once, or more text than a PDF is made of',
    },
    503: {
      description: 'The database does not answer, or too many documents are being made',
      headers: { 'Retry-After': 'Seconds until it may be tried again' },
    },
  };
}
