import { expect, test } from 'vitest';
import { vacantPort } from '../../support/rowgate.ts';
import { describePage } from './describe-page.ts';

const tutorial = 'docs/tutorials/custom-queries-and-mutations.md';

describePage(tutorial, {
  startsProgram: true,
  prepare: async () => {
    const port = String(await vacantPort());
    return { PARTS_PORT: port, PARTS_URL: `http://127.0.0.1:${port}` };
  },
  afterwards: (world) => {
    test('the server logs no error when the service of the tutorial refuses a call', () => {
      expect(world().log()).toContain('Try it:');
      expect(world().log()).not.toContain('"level":"error"');
    });
  },
});
