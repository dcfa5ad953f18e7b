// Stands for the program `rowgate` in shell examples: the process of the tests runs the command.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const [socket = '', ...args] = process.argv.slice(2);
const input = args.includes('--password-stdin') ? await text(process.stdin) : '';
const connection = connect({ path: socket, allowHalfOpen: true });
connection.end(JSON.stringify({ args, cwd: process.cwd(), environment: process.env, input }));
const { code, stdout, stderr } = JSON.parse(await text(connection));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
