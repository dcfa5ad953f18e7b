import type { Command } from '../../permissions/index.ts';

/** The parts of a command that appear in help texts. */
export type Described = Pick<Command, 'name' | 'summary' | 'options' | 'positionals'>;

/** Returns the text of `rowgate --help`. */
export function overview(commands: readonly Described[]): string {
  return [
    'Row and column permissions in YAML, enforced by Postgres, served over GraphQL.',
    '',
    'Usage: rowgate <command> [options]',
    '',
    'Commands:',
    ...commandTable(commands),
    '',
    'Options:',
    ...table([
      ['-h, --help', 'show this help, or the help of a command'],
      ['-v, --version', 'print the version of rowgate'],
    ]),
    '',
    'Without DATABASE_URL every command uses a Postgres of its own in ROWGATE_DATA_DIR.',
  ].join('\n');
}

/** Returns the help of a group of commands with the same first word, e.g. `rowgate login`. */
export function groupOverview(group: string, commands: readonly Described[]): string {
  return [
    `Usage: rowgate ${group} <command> [options]`,
    '',
    'Commands:',
    ...commandTable(commands),
    '',
    'Options:',
    ...table([['-h, --help', 'show this help, or the help of a command']]),
  ].join('\n');
}

function commandTable(commands: readonly Described[]): string[] {
  return table(commands.map(({ name, summary }) => [name, summary]));
}

function usageOf({ name, optional }: NonNullable<Command['positionals']>[number]): string {
  return optional === true ? `[<${name}>]` : `<${name}>`;
}

/** Returns the text of `rowgate <command> --help`. */
export function helpOf({ name, summary, options, positionals = [] }: Described): string {
  const rows = Object.entries(options).map(([option, { type, short, help }]) => {
    const alias = short === undefined ? '' : `-${short}, `;
    const value = type === 'string' ? ' <value>' : '';
    return [`${alias}--${option}${value}`, help] as const;
  });
  return [
    summary,
    '',
    `Usage: rowgate ${[name, ...positionals.map(usageOf)].join(' ')} [options]`,
    '',
    ...positionals.flatMap((one) => [...table([[`<${one.name}>`, one.help]]), '']),
    'Options:',
    ...table([...rows, ['-h, --help', 'show this help']]),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
