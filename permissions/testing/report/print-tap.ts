import { nameOf } from '../run-suites.ts';
import { controlMessage, placeOf, type RunReport } from './print-text.ts';

/** Returns a run as lines of TAP, version 14: https://testanything.org/tap-version-14-specification.html. */
export function printTap({ results, withoutControl }: RunReport): readonly string[] {
  const points = [
    ...results.map((result) => ({
      name: nameOf(result),
      lines: result.outcome.kind === 'failed' ? result.outcome.lines : [],
      place: placeOf(result.test),
    })),
    ...withoutControl.map((test) => ({
      name: `a positive control of ${test.table.name}`,
      lines: [controlMessage(test)],
      place: placeOf(test),
    })),
  ];
  return [
    'TAP version 14',
    `1..${points.length}`,
    ...points.flatMap(({ name, lines, place }, index) => [
      `${lines.length > 0 ? 'not ok' : 'ok'} ${index + 1} - ${escaped(name)}`,
      ...(lines.length > 0 ? diagnosticOf(lines, place) : []),
    ]),
  ];
}

/** A `#` would begin a directive, and a line break would end the test point. */
function escaped(text: string): string {
  return text.replace(/[\\#]/g, '\\$&').replace(/\s+/g, ' ');
}

/** JSON is YAML, so its strings need no other escapes. */
function diagnosticOf(lines: readonly string[], place: string): readonly string[] {
  const message = JSON.stringify(lines.join('\n'));
  return ['  ---', `  message: ${message}`, `  at: ${JSON.stringify(place)}`, '  ...'];
}
