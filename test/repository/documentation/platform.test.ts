import { describePages } from './describe-page.ts';

describePages('docs/platform/*.md');
