import { describePage } from './describe-page.ts';

describePage('docs/tutorials/review-a-permission-change.md', { startsProgram: true });
