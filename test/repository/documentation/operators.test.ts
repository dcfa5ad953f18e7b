import { describePages } from './describe-page.ts';

describePages('docs/operators/*.md');
