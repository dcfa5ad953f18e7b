import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeDataFolder, removeFolders } from '../support/data-folder.ts';
import { createDatabase } from '../support/database.ts';
import { endPrograms } from '../support/program.ts';
import { compileCache, program, type Served, serveRowgate } from '../support/rowgate.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const secret = 'a'.repeat(40);

/** The files, commands and examples in a text. */
export interface Tutorial {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Arguments of `rowgate`, in order. The command that serves keeps running. */
  readonly commands: readonly (readonly string[])[];
  readonly examples: readonly Example[];
}

/** A command, and the JSON that it prints. */
export interface Example {
  readonly title: string;
  readonly command: string;
  readonly answer: unknown;
}

/** @param name of a file in docs/tutorials */
export async function readTutorial(name: string): Promise<Tutorial> {
  const text = await readFile(path.join(root, 'docs/tutorials', name), 'utf8');
  // Code blocks whose first line is a comment with the path of a file.
  const files = text.matchAll(/```\w+\n(?:#|--|\/\/) (\S+\.\w+)\n([^`]*(?:`[^`]+)*?)\n```/g);
  const commands = text.matchAll(/```sh\n(npx [^`]*)```\n(?!<!-- answers)/g);
  const examples = text.matchAll(/```sh\n([^`]*)```\n<!-- answers -->\n```json\n([^`]*)```/g);
  return {
    files: [...files].map(([, file = '', content = '']) => ({ name: file, text: content })),
    commands: [...commands]
      .flatMap(([, block = '']) => block.trim().split('\n'))
      .map((line) => line.replace(/^npx rowgate /, '').split(' ')),
    examples: [...examples].map(([, command = '', answer = ''], index) => ({
      title: `example ${index + 1}`,
      command,
      answer: JSON.parse(answer) as unknown,
    })),
  };
}

/** A tutorial after all steps before its examples. */
export interface Followed {
  readonly folder: string;
  readonly ownerUrl: string;
  readonly served: Served;
  /** Runs the command of an example and returns the printed JSON. */
  typeIn(command: string): Promise<unknown>;
  end(): Promise<void>;
}

/**
 * Writes the files, creates the tables of `schema.sql` and runs the commands.
 * @param prepare starts further services of the application and returns environment variables for them
 */
export async function followTutorial(
  { files, commands }: Tutorial,
  prepare: (folder: string) => Promise<Readonly<Record<string, string>>> = async () => ({}),
): Promise<Followed> {
  const folder = await makeDataFolder();
  const database = await createDatabase();
  for (const { name, text } of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const owner = await database.connectOwner();
  await owner.query(await readFile(path.join(folder, 'schema.sql'), 'utf8'));
  const environment = {
    ...(await prepare(folder)),
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(folder, '.rowgate'),
    ROWGATE_ADMIN_SECRET: secret,
  };
  for (const args of commands.filter(([command]) => command !== 'serve')) {
    const env = { ...process.env, ...compileCache(), ...environment };
    await run(process.execPath, [program, ...args], { cwd: folder, env });
  }
  const serve = commands.find(([command]) => command === 'serve') ?? [];
  const absolute = serve.slice(1).map((one) => (one === 'metadata' ? path.join(folder, one) : one));
  const served = await serveRowgate(environment, absolute);
  return {
    folder,
    ownerUrl: database.ownerUrl,
    served,
    typeIn: async (command) => {
      const env = { ...process.env, SECRET: secret };
      const script = command.replaceAll('http://127.0.0.1:5678', served.url);
      const { stdout } = await run('sh', ['-euc', script], { cwd: folder, env });
      return JSON.parse(stdout);
    },
    end: async () => {
      await endPrograms();
      await removeFolders();
      await database.drop();
    },
  };
}
