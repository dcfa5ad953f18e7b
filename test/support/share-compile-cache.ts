// Runs before each test file. Threads read the folder from the environment, and share it with the started programs.
import { compileCache } from './rowgate.ts';

Object.assign(process.env, compileCache());
