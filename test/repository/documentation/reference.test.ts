import { describePages } from './describe-page.ts';

describePages('docs/reference/*.md');
