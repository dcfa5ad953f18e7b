// Bundles the console into the folder from which an image serves it. The Dockerfile runs it.
import { buildConsole } from '../server/console/build-console.ts';
import { shippedFolder } from '../server/console/console-files.ts';

await buildConsole(shippedFolder);
