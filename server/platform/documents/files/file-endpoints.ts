import { Type } from 'typebox';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { Admin, SignedInUser } from '../../accounts/user.ts';
import { documentsTag } from '../../api-tags.ts';
import { type DownloadServices, download } from './download/download.ts';
import type { StoredFile } from './upload/store-files.ts';
import { type UploadServices, upload } from './upload/upload.ts';
import { uploadForm } from './upload/upload-fields.ts';
import { uploadLimits } from './upload/upload-limits.ts';

export interface FileServices extends UploadServices, DownloadServices {
  /** The root of all URLs. */
  readonly baseUrl: string;
  readonly signedIn: Access<SignedInUser>;
  readonly admin: Access<Admin>;
}

/** Makes the endpoints to upload and download files. */
export function makeFileEndpoints(services: FileServices): readonly Endpoint[] {
  return [uploadEndpoint(services), downloadEndpoint(services)];
}

const uploadedSchema = Type.Object({
  files: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      name: Type.String({ description: 'The name of the file, made safe' }),
      url: Type.String({ description: 'The URL for its owner and for admins' }),
      size: Type.Integer({ description: 'The size in bytes' }),
      contentType: Type.String({ description: 'The type, detected from the contents' }),
      sha256: Type.String({ description: 'The digest in hexadecimal' }),
    }),
    { description: 'The files in the order of the form' },
  ),
});

function uploadEndpoint(services: FileServices): Endpoint {
  const { admin, baseUrl } = services;
  return defineEndpoint({
    method: 'post',
    path: '/documents/upload',
    operationId: 'uploadDocuments',
    tag: documentsTag,
    summary: 'upload files',
    description: 'Stores all files or none.',
    access: admin,
    form: uploadForm,
    answers: {
      201: { description: 'The files are stored', content: { 'application/json': uploadedSchema } },
      403: {
        description: 'Not an admin, or the API key lacks the scope or is for another organization',
      },
      404: { description: 'The owner, case or KYC profile does not exist' },
      413: {
        description: `More than ${uploadLimits.files} files (\`too-many-files\`), or more than ${uploadLimits.contentBytes} bytes in all (\`files-too-large\`)`,
      },
    },
    handle: async ({ who, request }, response) => {
      const stored = await upload(request, who, services);
      response.status(201).json({ files: stored.map((file) => answerOf(file, baseUrl)) });
    },
  });
}

function answerOf({ id, name, originalName, size, contentType, sha256 }: StoredFile, root: string) {
  const url = `${root}/static/file-uploads/${name}`;
  return { id, name: originalName, url, size, contentType, sha256 };
}

function downloadEndpoint(services: FileServices): Endpoint {
  const headers = {
    ETag: 'The SHA-256 of the file',
    'Last-Modified': 'The time of the upload',
    'Content-Disposition': '`inline` for types that browsers display safely, else `attachment`',
  };
  const content = { '*/*': 'binary' } as const;
  return defineEndpoint({
    method: 'get',
    path: '/static/file-uploads/{name}',
    operationId: 'getUploadedFile',
    tag: documentsTag,
    summary: 'get an uploaded file',
    access: services.signedIn,
    params: Type.Object({
      name: Type.String({ description: 'The name from the URL of the upload' }),
    }),
    headers: {
      Range: 'One part of the file: `bytes=0-1023`',
      'If-None-Match': 'The `ETag` of the version that the client has',
      'If-Range': 'The `ETag` of the version to which the range belongs',
    },
    answers: {
      200: {
        description: 'The file',
        content,
        headers: { ...headers, 'Accept-Ranges': '`bytes`' },
      },
      206: {
        description: 'The requested range',
        content,
        headers: { ...headers, 'Content-Range': 'The sent range and the size of the file' },
      },
      304: { description: 'The client has the current version' },
      403: { description: 'Only its owner and platform admins may read the file' },
      404: { description: 'The file does not exist' },
      416: {
        description: 'The range is outside the file',
        headers: { 'Content-Range': 'The size of the file' },
      },
    },
    handle: ({ who, params, request }, response) =>
      download(params.name, who.user, { request, response }, services),
  });
}
