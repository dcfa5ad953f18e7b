import type { Page } from '../../support/documentation.ts';

/** The surroundings in which the examples of a page run; see docs/contributing/writing.md. */
export type WorldKind = 'own database' | 'platform' | 'demo server';

/** A fenced example of a page, with the instructions for running it from the comments around it. */
export interface Block {
  /** The title of its test: language and line. */
  readonly title: string;
  readonly world: WorldKind;
  readonly language: string;
  readonly text: string;
  /** The file into which the test writes the block, if the block is a file. */
  readonly file: string | undefined;
  /** Headers that set role and variables of a GraphQL request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: Answer | undefined;
  /** Whether the test skips the block. */
  readonly isSkipped: boolean;
  /** The test file that runs the block instead. */
  readonly runBy: string | undefined;
}

/** The answer that the page shows below an example. */
export interface Answer {
  readonly exitCode: number;
  readonly language: string;
  readonly text: string;
}

const kinds: readonly string[] = ['own database', 'platform', 'demo server'];
const note =
  /^<!-- (examples run on|file|as|not run|run by|answers)(?: with exit code (\d+))?:? ?(.*?) -->$/;

/** Comments before a block. They apply to that block only. */
interface Notes {
  file?: string;
  headers?: Readonly<Record<string, string>>;
  isSkipped?: boolean;
  runBy?: string;
  exitCode?: number;
}

/** Returns the examples of a page in the order of the page. */
export function readBlocks({ file, text }: Page): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let world: WorldKind = 'own database';
  let notes: Notes = {};
  for (let index = 0; index < lines.length; index += 1) {
    const [, name, code, value = ''] = note.exec(lines[index] ?? '') ?? [];
    if (name === 'examples run on') world = readWorld(value, file);
    if (name === 'file') notes.file = value;
    if (name === 'as') notes.headers = readHeaders(value);
    if (name === 'not run') notes.isSkipped = true;
    if (name === 'run by') notes.runBy = value;
    if (name === 'answers') notes.exitCode = Number(code ?? 0);
    const [, language] = /^```(\w*)$/.exec(lines[index] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', index + 1);
    const content = lines.slice(index + 1, end).join('\n');
    const title = `${language} at line ${index + 1}`;
    index = end;
    const { exitCode, ...rest } = notes;
    notes = {};
    if (exitCode === undefined) {
      blocks.push({ title, world, language, ...described(content, rest) });
    } else {
      const asked = blocks.pop();
      if (!asked) throw new Error(`${file}: an answer without an example: ${title}`);
      blocks.push({ ...asked, answer: { exitCode, language, text: content } });
    }
  }
  return blocks;
}

function described(content: string, notes: Omit<Notes, 'exitCode'>) {
  return {
    text: content,
    file: notes.file ?? /^(?:#|--|\/\/) (\S+\.\w+)$/.exec(content.split('\n', 1)[0] ?? '')?.[1],
    headers: notes.headers ?? {},
    isSkipped: notes.isSkipped ?? false,
    runBy: notes.runBy,
    answer: undefined,
  };
}

function readWorld(value: string, file: string): WorldKind {
  if (!kinds.includes(value)) throw new Error(`${file}: no world "${value}"`);
  return value as WorldKind;
}

/** Reads a comment like `organization_admin, X-Gql-Organization-Id: 00…` into request headers. */
function readHeaders(value: string): Readonly<Record<string, string>> {
  const [role = '', ...variables] = value.split(', ');
  const pairs = variables.map((variable) => variable.split(': '));
  return { 'X-Gql-Role': role, ...Object.fromEntries(pairs) };
}
