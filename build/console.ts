// Bundles the console into the folder that the argument names. The Dockerfile runs it.
import path from 'node:path';
import { buildConsole } from '../server/console/build-console.ts';

const [target = 'console/built'] = process.argv.slice(2);
await buildConsole(path.resolve(import.meta.dirname, '../console'), path.resolve(target));
