import { type Static, Type } from 'typebox';
import { Refusal } from '../../../../http/answers/problem.ts';
import { validatorOf } from '../../../../http/endpoint/validate.ts';
import type { Admin } from '../../../accounts/user.ts';
import type { UploadRequest } from '../file-table.ts';
import { badForm } from './form-refusals.ts';
import { uploadLimits } from './upload-limits.ts';

const id = { format: 'uuid' } as const;

const fields = Type.Object(
  {
    purpose: Type.Optional(
      Type.Enum(['general', 'case_document', 'kyc_document'], {
        description:
          'Default general. The other two attach the files to a case or to a KYC profile',
      }),
    ),
    caseId: Type.Optional(Type.String({ ...id, description: 'Required with case_document' })),
    kycProfileId: Type.Optional(Type.String({ ...id, description: 'Required with kyc_document' })),
    ownerUserId: Type.Optional(
      Type.String({
        description:
          'The owner, who may download the files; default the admin. Required with an API key',
      }),
    ),
    organizationId: Type.Optional(
      Type.String({ ...id, description: 'The organization of the owner; default any' }),
    ),
  },
  { additionalProperties: false },
);

/** The schema of an upload form. */
export const uploadForm = Type.Object({
  files: Type.Array(Type.String({ format: 'binary' }), {
    description: 'One part for each file, with a file name',
    minItems: 1,
    maxItems: uploadLimits.files,
  }),
  ...fields.properties,
});

const checked = validatorOf(fields, 'body');

/** Reads the fields of a form. An empty field counts as absent, because browsers send it. @throws Refusal 400, 403 */
export function readUploadRequest(form: ReadonlyMap<string, string>, who: Admin): UploadRequest {
  const given = [...form].filter(([, value]) => value !== '');
  for (const [name, value] of given)
    if (!isStorable(value)) throw badForm(`${name} is not valid text`);
  const { purpose = 'general', ...rest } = checked(Object.fromEntries(given)) as Static<
    typeof fields
  >;
  const { caseId, kycProfileId } = rest;
  refuseMismatch(purpose, 'case_document', { caseId });
  refuseMismatch(purpose, 'kyc_document', { kycProfileId });
  return {
    purpose,
    caseId,
    kycProfileId,
    ownerUserId: rest.ownerUserId ?? ownerFor(who),
    organizationId: organizationFor(rest.organizationId, who),
    createdBy: who.kind === 'user' ? who.user.id : undefined,
  };
}

/** Returns true for text that Postgres can store: without NUL and lone surrogates. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Refuses an id that the purpose does not use, and a purpose without its id. */
function refuseMismatch(
  purpose: string,
  needing: string,
  field: Readonly<Record<string, string | undefined>>,
): void {
  const [[name, value] = []] = Object.entries(field);
  const isNeeded = purpose === needing;
  if (isNeeded === (value !== undefined)) return;
  throw badForm(
    isNeeded
      ? `${name} is missing; the purpose ${needing} needs it`
      : `${name} is for the purpose ${needing} alone`,
  );
}

function ownerFor(who: Admin): string {
  if (who.kind === 'user') return who.user.id;
  throw badForm('ownerUserId is missing; an API key cannot own files');
}

function organizationFor(given: string | undefined, who: Admin): string | undefined {
  const only = who.kind === 'apiKey' ? who.key.organizationId : undefined;
  if (only === undefined || given === undefined) return only ?? given;
  if (given.toLowerCase() === only) return only;
  const detail = 'the organization is not the one of the API key';
  throw new Refusal({ status: 403, code: 'wrong-organization', detail });
}
