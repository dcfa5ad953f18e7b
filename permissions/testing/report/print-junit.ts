import { nameOf, type TestResult } from '../run-suites.ts';
import { controlMessage, placeOf, type RunReport } from './print-text.ts';

/** Returns a run as XML in the form of JUnit, which CI systems show. Each file of tests is a test suite. */
export function printJunit({ results, withoutControl }: RunReport): readonly string[] {
  const suites = [...Map.groupBy(results, ({ suite }) => suite.file)].map(([file, all]) =>
    suiteOf(file, all.map(caseOf)),
  );
  const controls = withoutControl.map((test) =>
    failedCase(`a positive control of ${test.table.name}`, placeOf(test), controlMessage(test)),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...suites.flat(),
    ...(controls.length > 0 ? suiteOf('positive controls', controls) : []),
    '</testsuites>',
  ];
}

function suiteOf(name: string, cases: readonly (readonly string[])[]): readonly string[] {
  const failures = cases.filter((lines) => lines.length > 1).length;
  const numbers = `tests="${cases.length}" failures="${failures}"`;
  return [`  <testsuite name="${attribute(name)}" ${numbers}>`, ...cases.flat(), '  </testsuite>'];
}

function caseOf(result: TestResult): readonly string[] {
  const { outcome, test } = result;
  if (outcome.kind === 'failed') {
    return failedCase(nameOf(result), placeOf(test), outcome.lines.join('\n'));
  }
  return [`    <testcase ${attributesOf(nameOf(result), placeOf(test))}/>`];
}

function failedCase(name: string, place: string, message: string): readonly string[] {
  return [
    `    <testcase ${attributesOf(name, place)}>`,
    `      <failure message="${attribute(message)}"/>`,
    '    </testcase>',
  ];
}

function attributesOf(name: string, place: string): string {
  return `name="${attribute(name)}" classname="${attribute(place)}"`;
}

/** Escapes a text for an attribute. Characters that XML cannot hold are left out. */
function attribute(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"\n\t]/g, (character) => `&#${character.codePointAt(0)};`);
}
