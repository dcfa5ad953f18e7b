import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { optionalFile } from '../../server/optional-package.ts';

test('a file of an installed optional package is found by its path', () => {
  expect(existsSync(optionalFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf', 'PDFs'))).toBe(true);
});

test('an optional package that is not installed fails with its purpose and the command that installs it', () => {
  expect(() => optionalFile('no-such-fonts/ttf/Sans.ttf', 'PDFs')).toThrow(
    expect.objectContaining({
      code: 'RG_PACKAGE_MISSING',
      message: 'PDFs need the package no-such-fonts',
      hint: 'npm install no-such-fonts, or install without --omit=optional',
      exitCode: 2,
    }),
  );
});
