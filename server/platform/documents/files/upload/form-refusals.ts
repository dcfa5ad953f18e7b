import { Refusal } from '../../../../http/answers/problem.ts';
import { uploadLimits } from './upload-limits.ts';

/** Makes the refusal of an invalid form. */
export function badForm(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad-request', detail });
}

export function tooLarge(): Refusal {
  const detail = `the files are larger than ${uploadLimits.contentBytes} bytes together`;
  return new Refusal({ status: 413, code: 'files-too-large', detail });
}

export function tooMany(): Refusal {
  const detail = `there are more than ${uploadLimits.files} files`;
  return new Refusal({ status: 413, code: 'too-many-files', detail });
}

export function unsupportedForm(detail: string): Refusal {
  return new Refusal({ status: 415, code: 'unsupported-media-type', detail });
}
