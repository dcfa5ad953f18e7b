import type { GraphqlErrorCode } from '../../server/graphql/request-error.ts';

/** The meaning of each `extensions.code` in answers of GraphQL. */
export const graphqlCodes = {
  'access-denied':
    'The admin secret is missing or wrong, the caller does not have the role, the session is over, or a page of another site sends its cookie.',
  'invalid-jwt':
    'The token is not valid: it has expired, or its signature, issuer or audience is wrong. Or its person is not a user here.',
  'jwt-invalid-claims': 'The claims of the JWT are missing or do not have the configured form.',
  'jwt-missing-role-claims': 'The JWT lacks the allowed roles or the default role.',
  'invalid-headers': 'A header cannot be read, or the caller may not send it.',
  'not-found': 'A session variable is missing.',
  'validation-failed':
    "The document does not fit the role's schema, is not on the allow-list, or the role does not exist.",
  'parse-failed': 'A value in the request cannot be read.',
  'bad-request': 'The request does not have the expected form.',
  'invalid-json': 'The body is not JSON in UTF-8.',
  'not-supported': 'The operation or protocol is not served, such as a subscription.',
  'permission-error': 'Postgres refused: a check, a policy or a privilege does not allow it.',
  'data-exception':
    'Postgres could not compute an answer: a division by zero, a value that does not fit, or a function or trigger that raises an exception. `admin` reads the reason.',
  'constraint-violation':
    'A write would break a unique, foreign key, check, exclusion or not-null constraint. Nothing of the operation was kept.',
  conflict:
    'Another operation changed the same rows at the same time, or the database holds other rules than the server. Nothing was kept; try again.',
  'body-limit-exceeded': 'The request is larger than `ROWGATE_MAX_BODY_BYTES`.',
  'batch-limit-exceeded': 'The batch has more than `ROWGATE_MAX_BATCH` operations.',
  'depth-limit-exceeded':
    'Fields, conditions, values or fragments are nested too deep (`ROWGATE_MAX_DEPTH`, `depth` of a role).',
  'node-limit-exceeded':
    'The operation has too many fields, crossings, tables or comparisons (`nodes` and `crossings` of a role, `ROWGATE_MAX_CROSSINGS`, `ROWGATE_MAX_TABLES`).',
  'row-limit-exceeded': 'A list has more than `ROWGATE_MAX_ROWS` rows.',
  'size-limit-exceeded': 'The answer is larger than `ROWGATE_MAX_RESPONSE_BYTES`.',
  'time-limit-exceeded':
    'A statement took longer than `ROWGATE_STATEMENT_TIMEOUT_MS`, or than `seconds` of the role.',
  'rate-limit-exceeded':
    'The role has run its operations for this time. `Retry-After` and `extensions.retryAfter` give the seconds to wait.',
  'subscription-limit-exceeded':
    'The caller, the socket, the role or the server has as many subscriptions as it may.',
  'stream-interrupted':
    'A stream cannot continue without losing rows. Open it again with the cursor of the last row.',
  PERSISTED_QUERY_NOT_FOUND: 'The server does not know the hash. Send the document with it.',
  PERSISTED_QUERY_NOT_SUPPORTED: 'Hashes are turned off. Always send documents.',
  unavailable:
    'The database cannot be reached, is too busy or takes no changes. Nothing was done; `extensions.retryAfter` gives the seconds to wait.',
  'outcome-unknown':
    'The connection broke during the commit of a mutation, which was done whole or not at all. Look before you send it again.',
  unexpected: 'A fault of the server. The log has more under the request id.',
} as const satisfies Readonly<Record<GraphqlErrorCode, string>>;

export interface ProblemCode {
  readonly status: string;
  readonly meaning: string;
}

const problem = (status: string, meaning: string): ProblemCode => ({ status, meaning });

/** The meaning of each `code` in problem documents, the error answers of REST endpoints. */
export const problemCodes: Readonly<Record<string, ProblemCode>> = {
  'bad-request': problem(
    '400',
    'The request does not have the expected form; `detail` names each place.',
  ),
  'https-required': problem(
    '400',
    'A session was requested over plain HTTP, where its cookie would not be sent.',
  ),
  unauthenticated: problem('401', 'The request carries no credentials.'),
  'invalid-token': problem('401', 'The token or API key is not valid, or no longer.'),
  'unknown-user': problem('401', 'The person does not exist, is disabled or was deleted.'),
  'cross-site': problem('403', 'A page of another site sends the cookie, or opens a socket.'),
  'read-only': problem(
    '403',
    'The request would change something that lasts, and `ROWGATE_CONSOLE_WRITES` is off.',
  ),
  'email-missing': problem('403', 'The token of a new person has no e-mail address.'),
  'ambiguous-user': problem('403', 'Several people could be the bearer of the token.'),
  'not-invited': problem('403', 'The person was not entered before, and sign-up is by invitation.'),
  'missing-scope': problem('403', 'The API key lacks the scope for this endpoint.'),
  'wrong-organization': problem('403', 'The API key belongs to another organization.'),
  'missing-role': problem(
    '403',
    'The API key has no role to read under, or one that needs an organization or a person.',
  ),
  'wrong-role': problem('403', 'The header names a role that the caller does not have.'),
  'not-admin': problem('403', 'The endpoint is for admins of the platform.'),
  'admin-only': problem(
    '403',
    'Beside the admin secret, the headers name another role than `admin`.',
  ),
  'not-owner': problem('403', 'The file is for its owner and for admins of the platform.'),
  'not-found': problem('404', 'It does not exist, or the caller may not see it.'),
  'method-not-allowed': problem('405', 'The path has other methods; `Allow` lists them.'),
  'profile-locked': problem('409', 'Compliance has locked the KYC profile.'),
  'other-level': problem('409', 'The KYC profile is approved or in review at another level.'),
  'no-provider-file': problem('409', 'The provider keeps no file of this KYC document.'),
  changed: problem(
    '409',
    'An admin has agreed to another state of events, schedules, mails or rows of the application than there is now. Nothing was done.',
  ),
  'body-too-large': problem('413', 'The body is larger than `ROWGATE_MAX_BODY_BYTES`.'),
  'files-too-large': problem('413', 'The files of an upload have more than 80 MiB.'),
  'too-many-files': problem('413', 'An upload has more than 50 files.'),
  'unsupported-media-type': problem(
    '415',
    'The body is not JSON in UTF-8, or not a multipart form where one is expected.',
  ),
  'range-not-satisfiable': problem(
    '416',
    'The file has no such part; `Content-Range` gives its length.',
  ),
  'row-limit-exceeded': problem(
    '422',
    'The document has more rows than `ROWGATE_MAX_ROWS` or the `limit` of a rule, or an invoice more than 1,000 costs.',
  ),
  'document-too-large': problem(
    '422',
    'The document has too much text for a PDF. Request the page instead.',
  ),
  'too-many-requests': problem('429', 'Try again after `Retry-After` seconds.'),
  'too-many-sockets': problem(
    '429, 503',
    'As many sockets are open as allowed, from the address (429) or in the process (503).',
  ),
  unexpected: problem('500', 'A fault of the server. The log has more under the request id.'),
  'owner-missing': problem('501', 'The server has no `DATABASE_URL`, whose login explains rules.'),
  'provider-error': problem('502', 'The KYC provider fails, or does not return the file.'),
  unavailable: problem('503', 'The database or a provider does not answer.'),
  'not-prepared': problem('503', 'Tables are missing. `rowgate migrate` makes them.'),
  starting: problem('503', 'The server starts.'),
  stopping: problem('503', 'The server stops and opens no more sockets.'),
  busy: problem('503', 'Five requests to endpoints for admins run or wait already.'),
  locked: problem('503', 'Another session keeps a lock on the table or on its rights.'),
  timeout: problem('503', 'The request of an admin reached a time limit and was stopped.'),
  'owner-rights': problem('503', 'The login of `DATABASE_URL` lacks a right; the log names it.'),
  'not-recorded': problem(
    '503',
    'The use of an endpoint for admins cannot be recorded, so it is refused.',
  ),
  'too-many-documents': problem(
    '503',
    'Too many PDFs wait. Try again after `Retry-After` seconds.',
  ),
  'kyc-not-configured': problem('503', 'No KYC provider is configured.'),
  'provider-timeout': problem('504', 'The KYC provider does not answer in time.'),
};
