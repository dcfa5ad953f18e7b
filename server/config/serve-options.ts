import type { Command } from '../../permissions/index.ts';
import { ProcessError } from '../errors.ts';

/** Options of `rowgate serve`. */
export const serveOptions = {
  metadata: { type: 'string', help: 'folder with the permission files (default: metadata)' },
  only: {
    type: 'string',
    help: 'parts to serve, of graphql, rest and worker (default: all); graphql alone needs no other table',
  },
} as const satisfies Command['options'];

/** What is served, and by which rules. */
export interface ServeSettings {
  /** The metadata folder as given. */
  readonly metadata: string;
  readonly parts: ReadonlySet<Part>;
}

const parts = ['graphql', 'rest', 'worker'] as const;

/**
 * `graphql`: the data API of any database; `rest`: the endpoints of the application; `worker`: delivers events, runs
 * schedules and sends mail.
 */
export type Part = (typeof parts)[number];

/**
 * Throws RG_USAGE (exit 2).
 * @param hasApplication whether there is one, whose endpoints the part `rest` serves
 */
export function parseServeOptions(
  options: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  hasApplication: boolean,
): ServeSettings {
  const { metadata = 'metadata', only } = options;
  if (positionals.length > 0) {
    throw usage(`serve takes no argument "${positionals[0]}"`);
  }
  const wanted = only === undefined ? parts : String(only).split(',');
  const unknown = wanted.find((one) => !parts.some((part) => part === one));
  if (unknown !== undefined) {
    throw usage(`--only is "${unknown}"; the parts that can be served are: ${parts.join(', ')}`);
  }
  if (only !== undefined && wanted.includes('rest') && !hasApplication) {
    throw usage('--only names rest, which serves an application; rowgate.yaml names none');
  }
  return { metadata: String(metadata), parts: new Set(wanted as Part[]) };
}

function usage(problem: string): ProcessError {
  return new ProcessError('RG_USAGE', problem, {
    hint: 'rowgate serve --help lists the options',
    exitCode: 2,
  });
}
