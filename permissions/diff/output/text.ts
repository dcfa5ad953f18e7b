import { shown } from '../../text/characters.ts';
import { listed } from '../../text/listed.ts';
import { type ChangeClass, changeClasses, isUndecided, type Place } from '../change.ts';
import { type DiffReport, evidenceLines, type ReportedChange } from '../report.ts';
import { summaryOf } from '../words/summary.ts';
import { type MergedChange, mergeAlike } from './merge-alike.ts';

/** The headings of the groups, in the order of the output. */
export const classTitles: Readonly<Record<ChangeClass, string>> = {
  dangerous: 'dangerous: existing access widens, or may widen',
  review: 'review: new access, and changes that need a look',
  breaking: 'breaking for clients: less access, or lower limits',
  safe: 'safe: the same access as before',
};

export const undecidedTitle = 'undecided: read both conditions, and treat the change as a widening';

/** A heading with its changes. */
export interface Group {
  readonly title: string;
  readonly changes: readonly ReportedChange[];
}

/** Groups the changes by class, heaviest first. Undecided changes have a group of their own after the dangerous ones. */
export function groupsOf(changes: readonly ReportedChange[]): readonly Group[] {
  const groups = changeClasses.flatMap((name): readonly Group[] => {
    const found = changes.filter((one) => one.class === name && !isUndecided(one));
    const group = { title: classTitles[name], changes: found };
    const undecided = { title: undecidedTitle, changes: changes.filter(isUndecided) };
    return name === 'dangerous' ? [group, undecided] : [group];
  });
  return groups.filter((one) => one.changes.length > 0);
}

/** Formats a comparison for a terminal. */
export function diffText(report: DiffReport): readonly string[] {
  const lines = groupsOf(report.changes).flatMap(({ title, changes }) => [
    `${title}:`,
    ...mergeAlike(changes).flatMap((change) => changeLines(change, report)),
  ]);
  return [...lines, summaryOf(report)].map(shown);
}

function changeLines(change: MergedChange, report: DiffReport): readonly string[] {
  return [
    `  ${change.sentence}`,
    ...[...notesOf(change), `${placesText(change, report)}${morePlaces(change)}`]
      .filter((line) => line !== '')
      .map((line) => `      ${line}`),
  ];
}

/** Returns everything about a change besides its sentence and places, one line each. */
export function notesOf(change: ReportedChange): readonly string[] {
  const { inheritedFrom, inheritedBy, details, aspect } = change;
  return [
    ...details,
    ...evidenceLines(change),
    ...(inheritedFrom.length > 0 && aspect !== 'role'
      ? [`inherited from ${listed(inheritedFrom)}`]
      : []),
    ...(inheritedBy.length > 0
      ? [
          `the same for ${listed(inheritedBy)}, which ${inheritedBy.length === 1 ? 'inherits' : 'inherit'} it`,
        ]
      : []),
  ];
}

function placesText({ before, after }: ReportedChange, labels: DiffReport): string {
  if (after && before) {
    const isMoved = placeText(before) !== placeText(after);
    return isMoved
      ? `${placeText(after)}, in ${labels.before} ${placeText(before)}`
      : placeText(after);
  }
  if (before) return `${placeText(before)} in ${labels.before}`;
  return after ? placeText(after) : '';
}

function morePlaces({ more }: MergedChange): string {
  if (more === 0) return '';
  return ` and ${more} more ${more === 1 ? 'place' : 'places'}`;
}

export function placeText({ file, line }: Place): string {
  return `${file}:${line}`;
}
