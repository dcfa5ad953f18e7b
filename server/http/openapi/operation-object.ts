import { IsOptional, type TObject } from 'typebox';
import type { ApiAnswer, ApiOperation } from '../endpoint/api-operation.ts';
import type { SharedSchemas } from './components.ts';

/** Converts an operation into an OpenAPI 3.1 operation object. */
export function operationObject(operation: ApiOperation, shared: SharedSchemas): object {
  const { operationId, tag, summary, description, schemes, answers } = operation;
  const body = bodyOf(operation);
  const parameters = parametersOf(operation, shared);
  return {
    operationId,
    tags: [tag.name],
    summary,
    ...(description !== undefined && { description }),
    // In OpenAPI, any one entry of `security` is sufficient, and an empty list means public access.
    security: schemes.map(({ name }) => ({ [name]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !IsOptional(body.schema),
        content: { [body.mediaType]: { schema: shared.place(body.schema) } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, responseObject(answer, shared)]),
    ),
  };
}

function bodyOf({ body, form }: ApiOperation) {
  if (form) return { mediaType: 'multipart/form-data', schema: form };
  return body && { mediaType: 'application/json', schema: body };
}

function responseObject(
  { description, content, headers }: ApiAnswer,
  shared: SharedSchemas,
): object {
  return {
    description,
    ...(headers && { headers: mapValues(headers, headerObject) }),
    ...(content && {
      content: mapValues(content, (schema) =>
        schema === 'binary' ? {} : { schema: shared.place(schema) },
      ),
    }),
  };
}

function headerObject(description: string): object {
  return { description, schema: { type: 'string' } };
}

function parametersOf(
  { params, query, headers = {}, requiredHeaders = {} }: ApiOperation,
  shared: SharedSchemas,
): readonly object[] {
  return [
    ...parametersIn('path', params, shared),
    ...parametersIn('query', query, shared),
    ...Object.entries(headers).map(([name, description]) => ({
      in: 'header',
      name,
      ...headerObject(description),
    })),
    ...Object.entries(requiredHeaders).map(([name, description]) => ({
      in: 'header',
      name,
      required: true,
      ...headerObject(description),
    })),
  ];
}

function parametersIn(
  place: 'path' | 'query',
  schema: TObject | undefined,
  shared: SharedSchemas,
): readonly object[] {
  const required: readonly string[] = schema?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => {
    const { description, ...rest } = member as { readonly description?: string };
    return {
      in: place,
      name,
      ...(description !== undefined && { description }),
      required: required.includes(name),
      schema: shared.place(rest),
    };
  });
}

function mapValues<From>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
