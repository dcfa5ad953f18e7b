import { outliveReaders } from './cli/command-context.ts';
import { loadConfig } from './config/config.ts';
import { runCommandLine } from './start/command-line.ts';

const { stdout, stderr } = process;
outliveReaders(stdout, stderr);
process.exitCode = await runCommandLine(process.argv.slice(2), { stdout, stderr, loadConfig });
