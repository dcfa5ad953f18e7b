import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { commands } from '../../../permissions/index.ts';
import { runCommand } from '../../support/command-line.ts';
import { program, runRowgate } from '../../support/rowgate.ts';

describe('help of the command line', () => {
  test('lists every command', async () => {
    const { code, stdout } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const name of ['serve', ...commands.map((command) => command.name)]) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    }
  });

  test('lists the options of a command', async () => {
    const { code, stdout } = await runCommand(['serve', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/--metadata <value> {2}\S/);
    expect(stdout).toMatch(/--only <value> {6}\S/);
  });

  test('is the same for a command with `help` and with `-h`', async () => {
    expect(await runCommand(['help', 'serve'])).toEqual(await runCommand(['serve', '-h']));
  });

  test('is printed when no command is given, and the exit code is 2', async () => {
    const { code, stdout } = await runCommand([]);
    expect([code, stdout]).toEqual([2, expect.stringContaining('Usage: rowgate <command>')]);
  });

  test('exits with 0 when the program that reads its output has ended', async () => {
    const child = spawn(process.execPath, [program, '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const stderr = await text(child.stderr);
    expect([child.exitCode ?? (await once(child, 'exit'))[0], stderr]).toEqual([0, '']);
  });

  test('is printed although the environment is invalid', async () => {
    expect(await runCommand(['serve', '--help'], { PORT: 'x' })).toMatchObject({ code: 0 });
  });
});

test('--version prints the version of the package', async () => {
  expect(await runCommand(['--version'])).toEqual({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  });
});

describe('a wrong command line exits with 2 and names the mistake', () => {
  test('for an unknown command, with the command that was probably meant', async () => {
    expect(await runRowgate(['aply'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'rowgate: RG_USAGE there is no command "aply"\n  did you mean "apply"?\n',
    });
  });

  test('for an unknown option', async () => {
    const { code, stderr } = await runCommand(['serve', '--prot', '80']);
    expect(code).toBe(2);
    expect(stderr).toContain("Unknown option '--prot'");
    expect(stderr).toContain('rowgate serve --help lists the options');
  });

  test('for an unknown part of the server after --only', async () => {
    const { code, stderr } = await runCommand(['serve', '--only', 'grahpql']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--only is "grahpql"')]);
  });

  test('for a superfluous argument', async () => {
    const { code, stderr } = await runCommand(['serve', 'metadata']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no argument "metadata"')]);
  });
});

describe('the environment variables of a command', () => {
  test('that contain mistakes make it exit with 2 and name every mistake', async () => {
    const { code, stderr } = await runRowgate(['check'], { PORT: 'x', ROWGATE_POOL_SIZE: 'y' });
    expect(code).toBe(2);
    expect(stderr).toContain('  PORT is "x"');
    expect(stderr).toContain('  ROWGATE_POOL_SIZE is "y"');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('that are unknown cause a warning', async () => {
    const { stderr } = await runCommand(['check'], {
      ROWGATE_DATADIR: 'x',
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
    });
    expect(stderr).toContain('did you mean "ROWGATE_DATA_DIR"?');
  });

  test('that name an unreachable database server make it exit with 4', async () => {
    const { code, stderr } = await runCommand(['check'], {
      DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/app',
    });
    expect([code, stderr]).toEqual([4, expect.stringContaining('127.0.0.1:1')]);
    expect(stderr).not.toContain('hunter2');
  });
});
