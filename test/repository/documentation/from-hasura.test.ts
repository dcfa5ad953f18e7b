import { describePage } from './describe-page.ts';

describePage('docs/tutorials/from-hasura.md', { startsProgram: true });
