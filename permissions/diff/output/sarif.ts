import { shown } from '../../text/characters.ts';
import { type ChangeClass, changeClasses, isUndecided, type Place } from '../change.ts';
import type { DiffReport, ReportedChange } from '../report.ts';
import { classTitles, notesOf, undecidedTitle } from './text.ts';

const levels: Readonly<Record<ChangeClass, string>> = {
  ...{ dangerous: 'error', review: 'warning', breaking: 'warning', safe: 'note' },
};

/** Formats a comparison as a log of SARIF 2.1.0, with one rule for each class of changes. */
export function diffSarif({ changes }: DiffReport): unknown {
  return {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'rowgate diff', rules: rules() } },
        columnKind: 'unicodeCodePoints',
        results: changes.map(resultOf),
      },
    ],
  };
}

function rules(): readonly unknown[] {
  const classes = changeClasses.map((name) => ruleOf(name, classTitles[name], levels[name]));
  return [...classes, ruleOf('undecided', undecidedTitle, levels.review)];
}

function ruleOf(id: string, text: string, level: string): unknown {
  return { id, shortDescription: { text }, defaultConfiguration: { level } };
}

function resultOf(change: ReportedChange): unknown {
  const place = change.after ?? change.before;
  const old = change.after ? change.before : undefined;
  return {
    ruleId: isUndecided(change) ? 'undecided' : change.class,
    level: levels[change.class],
    message: { text: [change.sentence, ...notesOf(change)].map(shown).join('\n') },
    locations: place ? [locationOf(place)] : [],
    ...(old && {
      relatedLocations: [{ ...locationOf(old), message: { text: 'the old version' } }],
    }),
  };
}

function locationOf({ file, line, column }: Place) {
  // A URI reference: SARIF allows no spaces or other reserved characters in paths.
  const uri = file.split('/').map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri },
      region: { startLine: line, startColumn: column },
    },
  };
}
