import { shown } from '../../text/characters.ts';
import { type ChangeClass, isUndecided } from '../change.ts';
import type { DiffReport, ReportedChange } from '../report.ts';
import { notesOf } from './text.ts';

/** The commands of GitHub Actions that show a change beside the file, by class. */
const commands: Readonly<Record<ChangeClass, string>> = {
  ...{ dangerous: 'error', review: 'warning', breaking: 'warning', safe: 'notice' },
};

/** Formats a comparison as workflow commands of GitHub Actions, one line for each change. */
export function diffAnnotations({ changes }: DiffReport): readonly string[] {
  return changes.map((change) => {
    // A place of the old version names a line that the reader no longer has.
    const { after: place } = change;
    const title = isUndecided(change) ? 'permissions: undecided' : `permissions: ${change.class}`;
    const properties = [
      ...(place ? [`file=${property(place.file)}`, `line=${place.line}`] : []),
      `title=${property(title)}`,
    ];
    return `::${commands[change.class]} ${properties.join(',')}::${message(change)}`;
  });
}

function message(change: ReportedChange): string {
  return data([change.sentence, ...notesOf(change)].map(shown).join('\n'));
}

/** Escapes the message of a workflow command, in which a line break would begin another command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Escapes the value of a property of a workflow command. */
function property(text: string): string {
  return data(shown(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
