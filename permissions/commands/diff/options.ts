import { type Change, type ChangeClass, changeClasses, isUndecided } from '../../diff/change.ts';
import { CommandError } from '../../errors.ts';
import { quote } from '../../text/characters.ts';

/** The forms in which a comparison can be printed. */
const formats = ['json', 'markdown', 'sarif', 'annotations'] as const;

export type Format = (typeof formats)[number] | 'text';

type Options = Readonly<Record<string, unknown>>;

/** Returns the form of the output. @throws CommandError RG_USAGE (exit 2) for two forms at once */
export function formatOf(options: Options): Format {
  const chosen = formats.filter((name) => options[name] === true);
  if (chosen.length > 1) throw wrong(`--${chosen[0]} and --${chosen[1]} exclude each other`);
  return chosen[0] ?? 'text';
}

/**
 * Returns whether a change lets the command end with exit code 1. An undecided change counts as dangerous, because it
 * may widen access. @throws CommandError RG_USAGE (exit 2)
 */
export function failingChanges(options: Options): (change: Change) => boolean {
  const given = String(options['fail-on']);
  const at = (changeClasses as readonly string[]).indexOf(given);
  if (at < 0 || given === 'safe') {
    throw wrong(`--fail-on must be dangerous, review or breaking, and not ${quote(given)}`);
  }
  const failing: readonly ChangeClass[] = changeClasses.slice(0, at + 1);
  return (change) => failing.includes(change.class) || isUndecided(change);
}

/** Returns how long rows are counted, 0 for not at all. @throws CommandError RG_USAGE (exit 2) */
export function countSecondsOf(options: Options): number {
  const given = options['count-seconds'];
  if (given === undefined) return 10;
  if (options.catalog !== undefined) {
    throw wrong(
      '--count-seconds needs the rows of a database, and --catalog replaces the database',
    );
  }
  if (/^\d{1,4}$/.test(String(given))) return Number(given);
  throw wrong('--count-seconds must be a whole number from 0 to 9999');
}

function wrong(message: string): CommandError {
  const hint = 'rowgate diff --help lists the options';
  return new CommandError('RG_USAGE', message, { hint, exitCode: 2 });
}
