import { expect, test } from 'vitest';
import { readPage } from '../../support/documentation.ts';
import { describePage } from './describe-page.ts';

describePage('README.md', { startsProgram: true });

test('README.md has at most 250 lines', () => {
  expect(readPage('README.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(250);
});
