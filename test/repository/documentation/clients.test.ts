import { describePages } from './describe-page.ts';

describePages('docs/clients/*.md');
