import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const run = promisify(execFile);

/** A git repository in a temporary folder. */
export interface Repository {
  readonly folder: string;
  readonly metadata: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  git(...args: readonly string[]): Promise<string>;
  /** Commits every file, and returns the id of the commit. */
  commit(): Promise<string>;
  remove(): Promise<void>;
}

/** Makes an empty repository, or one with a copy of a metadata folder. */
export async function makeRepository(metadata?: string): Promise<Repository> {
  const folder = await mkdtemp(path.join(inject('scratch'), 'repository-'));
  const settings = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  const git = async (...args: readonly string[]) => {
    const { stdout } = await run('git', [...settings, ...args], { cwd: folder });
    return stdout.trim();
  };
  await git('init', '--quiet', '--initial-branch=main');
  if (metadata !== undefined)
    await cp(metadata, path.join(folder, 'metadata'), { recursive: true });
  return {
    folder,
    metadata: path.join(folder, 'metadata'),
    git,
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
        await writeFile(path.join(folder, name), content);
      }
    },
    commit: async () => {
      await git('add', '--all');
      await git('commit', '--quiet', '--message=change');
      return git('rev-parse', 'HEAD');
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
