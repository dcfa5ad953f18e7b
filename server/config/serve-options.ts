import { type Command, defaultMetadata, metadataOption } from '../../permissions/index.ts';
import { ProcessError } from '../errors.ts';

/** Options of `rowgate serve`. */
export const serveOptions = {
  ...metadataOption,
  only: {
    type: 'string',
    help: 'parts to serve, of graphql, rest and worker (default: all); graphql alone needs no other table',
  },
} as const satisfies Command['options'];

/** The parts to serve and the metadata folder. */
export interface ServeSettings {
  /** The metadata folder as given. */
  readonly metadata: string;
  readonly parts: ReadonlySet<Part>;
}

const parts = ['graphql', 'rest', 'worker'] as const;

/**
 * A part of the server. `graphql` serves the data API. `rest` serves the application's endpoints. `worker` delivers events,
 * runs schedules and sends mail.
 */
export type Part = (typeof parts)[number];

/**
 * Reads the options of `rowgate serve`.
 * @param hasApplication whether the metadata names an application, which the part `rest` needs
 * @throws ProcessError RG_USAGE (exit 2)
 */
export function parseServeOptions(
  options: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  hasApplication: boolean,
): ServeSettings {
  const { metadata = defaultMetadata, only } = options;
  if (positionals.length > 0) {
    throw usage(`serve takes no argument "${positionals[0]}"`);
  }
  const selected = only === undefined ? parts : String(only).split(',');
  const unknown = selected.find((one) => !parts.some((part) => part === one));
  if (unknown !== undefined) {
    throw usage(`--only is "${unknown}"; the parts that can be served are: ${parts.join(', ')}`);
  }
  if (only !== undefined && selected.includes('rest') && !hasApplication) {
    throw usage('--only names rest, which serves an application; rowgate.yaml names none');
  }
  return { metadata: String(metadata), parts: new Set(selected as Part[]) };
}

function usage(problem: string): ProcessError {
  return new ProcessError('RG_USAGE', problem, {
    hint: 'rowgate serve --help lists the options',
    exitCode: 2,
  });
}
