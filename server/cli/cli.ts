import { loadConfig } from '../config/config.ts';
import { outliveReaders } from './command-context.ts';
import { runCommandLine } from './command-line.ts';

const { stdout, stderr } = process;
outliveReaders(stdout, stderr);
process.exitCode = await runCommandLine(process.argv.slice(2), { stdout, stderr, loadConfig });
