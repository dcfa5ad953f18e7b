import { ignoreClosedPipes } from './cli/command-context.ts';
import { runCommandLine } from './cli/command-line.ts';
import { loadConfig, metadataFolder } from './config/config.ts';
import { rowgate } from './start/rowgate.ts';

const { stdout, stderr } = process;
ignoreClosedPipes(stdout, stderr);
const metadata = metadataFolder();
const surroundings = { stdout, stderr, metadata, loadConfig };
process.exitCode = await runCommandLine(rowgate, process.argv.slice(2), surroundings);
