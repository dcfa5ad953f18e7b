import { describePages } from './describe-page.ts';

describePages('docs/deployment/*.md');
