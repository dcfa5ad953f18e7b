import { describePage } from './describe-page.ts';

describePage('docs/tutorials/own-database.md', { startsProgram: true });
