import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine, type Surroundings } from '../../server/cli/command-line.ts';
import { metadataFolder, parseConfig } from '../../server/config/config.ts';
import { rowgate } from '../../server/start/rowgate.ts';
import type { Finished } from './rowgate.ts';

/**
 * Runs a command in this process, like `runRowgate`, but without a new process and without the code of its entry file.
 */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Finished> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const loadConfig: Surroundings['loadConfig'] = (application) =>
    parseConfig(environment, process.cwd(), application);
  const code = await runCommandLine(rowgate, args, {
    ...{ stdout, stderr, stdin: Readable.from([input]), loadConfig },
    metadata: metadataFolder(environment),
  });
  stdout.end();
  stderr.end();
  const [out, err] = await output;
  return { code, stdout: out, stderr: err };
}
