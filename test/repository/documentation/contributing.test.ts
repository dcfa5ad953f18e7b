import { describePages } from './describe-page.ts';

describePages('docs/contributing/*.md');
