import { type Static, Type } from 'typebox';
import { type DiagnosticCode, diagnosticCodes } from '../../diagnostics.ts';
import { metadataVersion } from '../metadata-version.ts';
import { decoded, list, map, node, object, optional, placed } from '../shape/shape.ts';
import { toPlain } from '../yaml/locate.ts';
import { authentication, type RawAuthentication } from './authentication.ts';
import { trueOrFalse } from './primitives.ts';

const variables = decoded(
  map(Type.Union([Type.String(), Type.Null()], { title: 'a description, or nothing' }), {
    title: 'a map of session variables to descriptions',
    description: 'Session variables that rules may use although no role requires them.',
  }),
  (entries) => entries.map(({ key }) => key),
);

const acceptedFinding = object(
  {
    code: Type.Enum(Object.keys(diagnosticCodes) as DiagnosticCode[], {
      title: 'the code of a warning',
      description: 'The code of the warning.',
    }),
    finding: placed(
      Type.String({
        title: 'the sentence of a warning',
        description: 'The sentence of the warning, as check prints it, without place and hint.',
        minLength: 1,
      }),
    ),
    reason: Type.String({
      title: 'a reason',
      description: 'Why the warning is accepted.',
      minLength: 1,
    }),
  },
  { title: 'a map with code, finding and reason' },
);

/** A warning that is accepted. */
export type AcceptedFinding = Static<typeof acceptedFinding>;

/** The schema of rowgate.yaml. */
export const settingsFile = object(
  {
    version: optional(
      Type.Literal(metadataVersion, {
        title: `${metadataVersion}, the version of the metadata format`,
        description:
          'The version of the metadata format. A program refuses a newer version than it reads.',
      }),
      metadataVersion,
    ),
    application: optional(
      placed(
        Type.String({
          pattern: '^[a-z][a-z0-9-]*$',
          title: 'the name of an application, in lower-case letters',
          description: 'The application that is served next to GraphQL; default none.',
        }),
      ),
    ),
    authentication: optional(
      decoded(node(authentication), (found) => ({
        name: toPlain(found) as RawAuthentication,
        position: found.position,
      })),
    ),
    strict_keys: optional(
      trueOrFalse(
        'Hides key columns in SQL too. Relationships that need a hidden key column are then lost.',
      ),
      false,
    ),
    references_visible: optional(
      trueOrFalse('A foreign key that a client writes must lead to a row that the role may see.'),
      false,
    ),
    default_relationships: optional(
      trueOrFalse('Every foreign key gives relationships by default; default true.'),
      true,
    ),
    variables: optional(variables, []),
    accepted_findings: optional(
      list(acceptedFinding, {
        title: 'a list of warnings, each with code, finding and reason',
        description: 'Warnings of check that need no action, each with the reason.',
      }),
      [],
    ),
  },
  {
    title:
      'a map with version, application, authentication, strict_keys, references_visible, default_relationships, variables and accepted_findings',
  },
);

export type RawSettings = Static<typeof settingsFile>;
