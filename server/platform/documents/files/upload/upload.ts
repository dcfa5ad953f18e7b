import type { Request } from 'express';
import { Refusal } from '../../../../http/answers/problem.ts';
import type { Admin } from '../../../accounts/user.ts';
import { badForm } from './form-refusals.ts';
import { readForm } from './read-form.ts';
import { openSpool } from './spool.ts';
import { type StoredFile, type StoreServices, storeFiles } from './store-files.ts';
import { readUploadRequest } from './upload-fields.ts';

export interface UploadServices extends StoreServices {
  /** The folder for incomplete uploads; created when it is missing. */
  readonly spoolFolder: string;
}

/** Stores all files of a form or none. @throws Refusal 400, 403, 404, 413, 415, 503 */
export async function upload(
  request: Request,
  who: Admin,
  services: UploadServices,
): Promise<readonly StoredFile[]> {
  try {
    return await receiveUpload(request, who, services);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    services.logger.error({ err: error }, 'an upload cannot be stored');
    throw unavailable();
  }
}

async function receiveUpload(
  request: Request,
  who: Admin,
  services: UploadServices,
): Promise<readonly StoredFile[]> {
  const spool = await openSpool(services.spoolFolder);
  try {
    const { fields, files } = await readForm(request, spool);
    const target = readUploadRequest(fields, who);
    if (files.length === 0) throw badForm('there are no files; each is a part of the field files');
    return await storeFiles(files, target, services);
  } finally {
    await spool.remove();
  }
}

/** Makes the refusal for a failed storage, such as a full disk. */
function unavailable(): Refusal {
  return new Refusal({
    status: 503,
    code: 'unavailable',
    detail: 'the files cannot be stored at the moment; try again',
    headers: { 'Retry-After': '1' },
  });
}
