import type { Command } from '../permissions/index.ts';
import { ProcessError } from './errors.ts';

/** Options of `rowgate serve`. */
export const serveOptions = {
  metadata: { type: 'string', help: 'folder with the permission files (default: metadata)' },
  only: {
    type: 'string',
    help: 'parts to serve: graphql (default: all); graphql alone needs no table of the platform',
  },
} as const satisfies Command['options'];

/** What is served, and by which rules. */
export interface ServeSettings {
  /** The metadata folder as given. */
  readonly metadata: string;
  /** Whether the platform's own tables have to be there. */
  readonly platform: boolean;
}

/** Throws RG_USAGE (exit 2). */
export function parseServeOptions(
  options: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
): ServeSettings {
  const { metadata = 'metadata', only } = options;
  if (positionals.length > 0) {
    throw usage(`serve takes no argument "${positionals[0]}"`);
  }
  if (only !== undefined && only !== 'graphql') {
    throw usage(`--only is "${only}"; the parts that can be served are: graphql`);
  }
  return { metadata: String(metadata), platform: only === undefined };
}

function usage(problem: string): ProcessError {
  return new ProcessError('RG_USAGE', problem, {
    hint: 'rowgate serve --help lists the options',
    exitCode: 2,
  });
}
