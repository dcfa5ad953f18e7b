import { diagnosticCodes } from '../../permissions/index.ts';
import { processErrorCodes } from '../../server/errors.ts';
import { graphqlCodes, problemCodes } from './codes.ts';
import { readSettings } from './read-settings.ts';
import { type SettingGroup, settingGroups } from './settings.ts';

/** Makes the pages of docs/reference/ that are not written by hand, by file name. */
export function referencePages(): Readonly<Record<string, string>> {
  return { 'settings.md': settingsPage(), 'codes.md': codesPage() };
}

function settingsPage(): string {
  const accepted = readSettings();
  return page(
    'Settings',
    'For those who run Rowgate. Look up each environment variable here: what it does, its default and the values that it takes.',
    [
      'Every setting is an environment variable. An empty variable counts as absent. A value that cannot be used stops the start (`RG_CONFIG`), and the message names every such variable. A variable that begins with `ROWGATE_` and is not listed here is a warning.',
      ...settingGroups.map((group) => settingsTable(group, accepted)),
    ],
  );
}

function settingsTable(
  { title, note, settings }: SettingGroup,
  accepted: ReadonlyMap<string, string>,
): string {
  const rows = Object.entries(settings).map(([name, { byDefault, meaning }]) => [
    `\`${name}\``,
    byDefault ?? 'absent',
    accepted.get(name) || 'text',
    meaning,
  ]);
  const shown = table(['setting', 'default', 'values', 'meaning'], rows);
  return [`## ${title}`, ...(note === undefined ? [] : [note]), shown].join('\n\n');
}

function codesPage(): string {
  const rows = (codes: Readonly<Record<string, string>>) =>
    Object.entries(codes).map(([code, meaning]) => [`\`${code}\``, meaning]);
  const problems = Object.entries(problemCodes).map(([code, { status, meaning }]) => [
    `\`${code}\``,
    status,
    meaning,
  ]);
  return page(
    'Error codes',
    'For those who read an error message of Rowgate. Look up what its code means.',
    [
      '<!-- codes -->',
      '## Findings of check, plan, apply and drift',
      'Commands report these about the metadata and the database, with file, line and column. [Lint findings](../operators/lint.md) says what `check` looks for and why.',
      table(['code', 'means'], rows(diagnosticCodes)),
      '## Failures of a command or of the server',
      table(['code', 'means'], rows(processErrorCodes)),
      '<!-- /codes -->',
      '## Error codes of GraphQL',
      'The code stands in `errors[].extensions.code`. [Errors](../clients/errors.md) says what to do about them. A plugin or the handler of an action may answer with codes of its own.',
      table(['code', 'means'], rows(graphqlCodes)),
      '## Error codes of REST endpoints',
      'The code stands in the problem document, beside its HTTP status.',
      table(['code', 'status', 'means'], problems),
    ],
  );
}

function page(title: string, opening: string, parts: readonly string[]): string {
  const generated = '<!-- Made by `npm run reference`; change build/reference/ instead. -->';
  return `${[`# ${title}`, generated, opening, ...parts].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
