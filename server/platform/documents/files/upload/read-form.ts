import { finished } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { badForm, tooLarge, tooMany, unsupportedForm } from './form-refusals.ts';
import type { Spool } from './spool.ts';
import { type SpooledFile, SpoolWriter } from './spool-writer.ts';
import { uploadLimits } from './upload-limits.ts';

/**
 * Milliseconds for which the server still reads the body of a refused request. Senders usually read the answer only
 * after they have sent the whole body.
 */
const drainMs = 10_000;

/** The contents of a form. Its files are in the spool. */
export interface Form {
  readonly fields: ReadonlyMap<string, string>;
  /** The files in the order of the form. */
  readonly files: readonly SpooledFile[];
}

/**
 * Reads a multipart form as it arrives. After a refusal, nothing writes to the spool any more, and the rest of the body
 * is discarded.
 * @throws Refusal 400, 413, 415
 */
export async function readForm(request: Request, spool: Spool): Promise<Form> {
  const writer = new SpoolWriter(spool);
  let parser: BusboyInstance | undefined;
  try {
    parser = openParser(request);
    const fields = await parse(request, parser, writer);
    return { fields, files: await writer.files() };
  } catch (error) {
    if (parser) request.unpipe(parser);
    await writer.stop();
    discardBody(request);
    throw error;
  }
}

function openParser(request: Request): BusboyInstance {
  const { headers } = request;
  if (request.is('multipart/form-data') === false) {
    throw unsupportedForm('the content type must be multipart/form-data');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw unsupportedForm('the form must come without a content encoding');
  }
  const { contentBytes, overheadBytes, fields, fieldBytes, files, ...header } = uploadLimits;
  if (Number(headers['content-length'] ?? 0) > contentBytes + overheadBytes) throw tooLarge();
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      isPartAFile: (_field, _type, name) => name !== undefined,
      limits: {
        fields,
        files,
        fieldSize: fieldBytes,
        parts: fields + files + 1,
        headerSize: header.headerBytes,
        headerPairs: header.headers,
      },
    });
  } catch {
    throw badForm('the content type has no boundary for the parts');
  }
}

async function parse(
  request: Request,
  parser: BusboyInstance,
  writer: SpoolWriter,
): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { fields: maxFields, fieldBytes, contentBytes, overheadBytes } = uploadLimits;
  parser.on('file', (field, stream, name, _encoding, type) => {
    writer.write({ stream, originalName: name, declaredType: type }).catch(reject);
    if (field !== 'files') reject(badForm('the field of each file must be called files'));
  });
  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (name === 'files') return reject(badForm('each part of the field files needs a file name'));
    if (valueCut) return reject(badForm(`a field is longer than ${fieldBytes} bytes`));
    if (fields.has(name)) return reject(badForm('a field other than files occurs twice'));
    fields.set(name, value);
  });
  parser.on('filesLimit', () => reject(tooMany()));
  const tooManyFields = () => reject(badForm(`there are more than ${maxFields} fields`));
  parser.on('fieldsLimit', tooManyFields);
  parser.on('partsLimit', tooManyFields);
  parser.on('error', () =>
    reject(badForm('the body is not a valid multipart form, or ends too early')),
  );
  parser.on('finish', resolve);
  // `finished` also reports a sender that closed the connection before this listener was added.
  finished(request, { writable: false }, (error) => {
    if (error) reject(badForm('the body ends too early'));
  });
  let received = 0;
  request.on('data', ({ length }: Buffer) => {
    received += length;
    // The count includes bytes outside of files: parts without a name, and bytes before and after all parts.
    if (received > contentBytes + overheadBytes) reject(tooLarge());
  });
  request.pipe(parser);
  await promise;
  return fields;
}

/**
 * Discards the rest of the body. Closing the connection immediately would prevent a sender from receiving the answer.
 */
function discardBody(request: Request): void {
  if (request.complete || request.destroyed) return;
  const impatience = setTimeout(() => request.socket.destroy(), drainMs);
  for (const end of ['end', 'close']) request.once(end, () => clearTimeout(impatience));
  request.resume();
}
