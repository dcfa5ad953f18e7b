import { CommandError } from '../../errors.ts';

const formats = ['text', 'tap', 'junit'] as const;

/** The options of `rowgate test`, checked. */
export interface TestOptions {
  readonly format: (typeof formats)[number];
  /** Whether the tests also run over GraphQL. */
  readonly hasGraphql: boolean;
  readonly hasCoverage: boolean;
  readonly isWatching: boolean;
  /** The lowest mutation score that passes; undefined: rules are not changed. */
  readonly minScore: number | undefined;
  /** The name of the file whose tests run; undefined: all. */
  readonly file: string | undefined;
}

/** @throws CommandError RG_USAGE for values that the options do not have, and for options that exclude each other */
export function readTestOptions(
  options: Readonly<Record<string, unknown>>,
  file: string | undefined,
): TestOptions {
  const { coverage, mutate, watch, 'min-score': score } = options;
  const format = formats.find((one) => one === options.format);
  if (!format) throw usage(`--format must be ${formats.join(', ')}`);
  if (score !== undefined && mutate !== true)
    throw usage('--min-score has no effect without --mutate');
  if (format !== 'text' && (mutate === true || coverage === true || watch === true)) {
    throw usage(
      `--format ${format} reports the tests alone, without --mutate, --coverage and --watch`,
    );
  }
  if (file !== undefined && (mutate === true || coverage === true)) {
    throw usage('--mutate and --coverage need the tests of all files');
  }
  return {
    ...{
      format,
      file,
      hasGraphql: options.graphql === true,
      hasCoverage: coverage === true,
      isWatching: watch === true,
    },
    minScore: mutate === true ? scoreIn(score) : undefined,
  };
}

function scoreIn(given: unknown = '100'): number {
  const text = String(given).trim();
  const score = Number(text);
  if (text !== '' && score >= 0 && score <= 100) return score;
  throw usage('--min-score must be a number from 0 to 100');
}

function usage(message: string): CommandError {
  return new CommandError('RG_USAGE', message, {
    hint: 'rowgate test --help lists the options',
    exitCode: 2,
  });
}
