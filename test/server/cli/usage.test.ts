import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { commands } from '../../../permissions/index.ts';
import { runCommand } from '../../support/command-line.ts';
import { program, runRowgate } from '../../support/rowgate.ts';

describe('help', () => {
  test('lists every command', async () => {
    const { code, stdout } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const name of ['serve', ...commands.map((command) => command.name)]) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    }
  });

  test('for a command lists its options', async () => {
    const { code, stdout } = await runCommand(['serve', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/--metadata <value> {2}\S/);
    expect(stdout).toMatch(/--only <value> {6}\S/);
  });

  test('for a command is printed by `help` and by `-h`', async () => {
    expect(await runCommand(['help', 'serve'])).toEqual(await runCommand(['serve', '-h']));
  });

  test('is printed with exit code 2 without a command', async () => {
    const { code, stdout } = await runCommand([]);
    expect([code, stdout]).toEqual([2, expect.stringContaining('Usage: rowgate <command>')]);
  });

  test('exits with 0 when the reader of its output has gone', async () => {
    const child = spawn(process.execPath, [program, '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const stderr = await text(child.stderr);
    expect([child.exitCode ?? (await once(child, 'exit'))[0], stderr]).toEqual([0, '']);
  });

  test('does not need a valid environment', async () => {
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

describe('a wrong command line exits with 2', () => {
  test('for an unknown command, and names the likely one', async () => {
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

  test('for an unknown part', async () => {
    const { code, stderr } = await runCommand(['serve', '--only', 'grahpql']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--only is "grahpql"')]);
  });

  test('for a superfluous argument', async () => {
    const { code, stderr } = await runCommand(['serve', 'metadata']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no argument "metadata"')]);
  });
});

describe('the environment', () => {
  test('with mistakes makes a command exit with 2 and name all of them', async () => {
    const { code, stderr } = await runRowgate(['check'], { PORT: 'x', ROWGATE_POOL_SIZE: 'y' });
    expect(code).toBe(2);
    expect(stderr).toContain('  PORT is "x"');
    expect(stderr).toContain('  ROWGATE_POOL_SIZE is "y"');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('with an unknown variable causes a warning', async () => {
    const { stderr } = await runCommand(['check'], {
      ROWGATE_DATADIR: 'x',
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
    });
    expect(stderr).toContain('did you mean "ROWGATE_DATA_DIR"?');
  });

  test('with an unreachable server makes a command exit with 4', async () => {
    const { code, stderr } = await runCommand(['check'], {
      DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/app',
    });
    expect([code, stderr]).toEqual([4, expect.stringContaining('127.0.0.1:1')]);
    expect(stderr).not.toContain('hunter2');
  });
});
