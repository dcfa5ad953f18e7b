import type { Request } from 'express';
import { Refusal } from '../../../http/problem.ts';
import type { Admin } from '../../accounts/user.ts';
import { badForm } from './form-refusals.ts';
import { type KeepServices, type KeptFile, keepFiles } from './keep-files.ts';
import { readForm } from './read-form.ts';
import { openSpool } from './spool.ts';
import { readUploadRequest } from './upload-fields.ts';

export interface UploadServices extends KeepServices {
  /** Where uploads lie until they are whole; made where it is not there. */
  readonly spoolFolder: string;
}

/** Takes the files of a form in, all or none. @throws Refusal 400, 403, 404, 413, 415, 503 */
export async function upload(
  request: Request,
  who: Admin,
  services: UploadServices,
): Promise<readonly KeptFile[]> {
  try {
    return await takeIn(request, who, services);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    services.logger.error({ err: error }, 'an upload cannot be kept');
    throw unavailable();
  }
}

async function takeIn(
  request: Request,
  who: Admin,
  services: UploadServices,
): Promise<readonly KeptFile[]> {
  const spool = await openSpool(services.spoolFolder);
  try {
    const { fields, files } = await readForm(request, spool);
    const wanted = readUploadRequest(fields, who);
    if (files.length === 0) throw badForm('there are no files; each is a part of the field files');
    return await keepFiles(files, wanted, services);
  } finally {
    await spool.remove();
  }
}

/** E.g. where a disk is full. */
function unavailable(): Refusal {
  return new Refusal({
    status: 503,
    code: 'unavailable',
    detail: 'the files cannot be kept at the moment; try again',
    headers: { 'Retry-After': '1' },
  });
}
