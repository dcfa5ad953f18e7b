import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { loggedReason } from '../../../server/log/log-error.ts';
import { maskText } from '../../../server/log/mask-text.ts';
import { LogCapture } from '../../support/log-capture.ts';

const secret = 'hunter2-of-at-least-sixteen';

/** Writes one log line at the level trace and returns it as an object. */
function logged(fields: object, message = 'something happened'): Record<string, unknown> {
  const capture = new LogCapture();
  const logger = makeLogger({ logLevel: 'trace', headerPrefix: 'X-Gql-' }, capture);
  logger.trace(fields, message);
  expect(capture.text).not.toContain(secret);
  return JSON.parse(capture.text);
}

const proofs = [
  ...['authorization', 'cookie', 'set-cookie', 'proxy-authorization', 'x-api-key'],
  ...['x-gql-admin-secret', 'x-platform-api-token', 'x-signature-sha256', 'x-card-signature'],
  ...['x-payload-digest', 'X-App-Token', 'X-App-Access-Sig', 'X-Of-The-Operator'],
];

test.each(proofs)(
  'the value of the header %s is masked in logged request and answer headers',
  (name) => {
    const headers = { [name]: secret, 'content-type': 'text/plain' };
    const masked = { [name]: '[secret]', 'content-type': 'text/plain' };
    const config = { url: '/there', headers, requestHeaders: headers };
    expect(logged({ headers, config, list: [{ headers }] })).toMatchObject({
      headers: masked,
      config: { url: '/there', headers: masked, requestHeaders: masked },
      list: [{ headers: masked }],
    });
  },
);

test('a secret is masked in headers that are logged as a Headers object or as a raw list', () => {
  const pairs = ['X-API-Key', secret];
  const headers = new Headers({ 'x-api-key': secret, accept: '*/*' });
  expect(logged({ rawHeaders: pairs, headers })).toMatchObject({
    rawHeaders: '[secret]',
    headers: { 'x-api-key': '[secret]', accept: '*/*' },
  });
});

test('the values of session headers are logged, except the admin secret', () => {
  const headers = { 'x-gql-role': 'user', 'x-gql-user-id': 'u1', 'x-gql-admin-secret': secret };
  expect(logged({ headers }).headers).toEqual({ ...headers, 'x-gql-admin-secret': '[secret]' });
});

test.each([
  'password',
  'pass',
  'apiKey',
  'private_key',
  'x-platform-api-token',
  'clientSecret',
  'signature',
])('the log masks the field %s at any depth', (name) => {
  expect(logged({ [name]: secret, one: { two: [{ [name]: secret }] } })).toMatchObject({
    [name]: '[secret]',
    one: { two: [{ [name]: '[secret]' }] },
  });
});

test('the log masks a field with a secret name as a whole, with all fields inside it', () => {
  expect(logged({ adminSecret: { value: secret, source: 'made' } })).toMatchObject({
    adminSecret: '[secret]',
  });
});

/** Makes an error with secrets in fields like those that HTTP and Postgres libraries attach. */
function errorWithFields(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), {
    code: 'EAUTH',
    config: { headers: { authorization: secret } },
    request: Object.assign(new IncomingMessage(new Socket()), { headers: { cookie: secret } }),
    response: { headers: { 'set-cookie': [secret] } },
    client: { connectionParameters: { password: secret } },
    body: `{"password":"${secret}"}`,
    input: `postgres:/owner:${secret}@host`,
    headers: { 'x-payload-digest': secret },
  });
}

test('an error is logged with its message and code, without the fields that libraries attach', () => {
  const err = errorWithFields(
    'outer',
    errorWithFields('inner', new AggregateError([errorWithFields('one of several')], 'all')),
  );
  expect(logged({ err }).err).toMatchObject({
    ...{ type: 'Error', message: 'outer', code: 'EAUTH' },
    cause: { message: 'inner', cause: { message: 'all', errors: [{ message: 'one of several' }] } },
  });
});

test('an error is logged without these fields in any field of the log line, and when the error is its own cause', () => {
  const error = errorWithFields('round');
  error.cause = error;
  expect(logged({ failure: error }).failure).toMatchObject({ message: 'round', code: 'EAUTH' });
});

test('an object of a class is logged as the name of the class, and a buffer as its size', () => {
  const request = Object.assign(new IncomingMessage(new Socket()), { text: secret });
  expect(logged({ request, bytes: Buffer.from(secret) })).toMatchObject({
    request: '[IncomingMessage]',
    bytes: '[27 bytes]',
  });
});

test.each([
  [`cannot reach postgres://owner:${secret}@host/app`, 'postgres://owner:[secret]@host/app'],
  [`GET /file?id=1&token=${secret}&x=2`, '/file?id=1&token=[secret]&x=2'],
  [`postgres://owner:p@${secret}@host/app`, 'postgres://owner:[secret]@host/app'],
  [`GET /file?key=${secret}&x=2`, '/file?key=[secret]&x=2'],
  [`GET /file?api-key=${secret}`, '/file?api-key=[secret]'],
  [`GET /file?sig=${secret}`, '/file?sig=[secret]'],
  [`GET /there#access_token=${secret}`, '/there#access_token=[secret]'],
  [`refused "Bearer ${secret}"`, 'Bearer [secret]'],
])('the log masks a secret in a text: %s', (message, expected) => {
  expect(logged({ reason: message, err: new Error(message) }, message)).toMatchObject({
    msg: expect.stringContaining(expected),
    reason: expect.stringContaining(expected),
    err: { message: expect.stringContaining(expected), stack: expect.stringContaining(expected) },
  });
});

test('the log masks a header value that Node quotes in its error because the value is invalid', () => {
  const say = () => new Headers({ 'x-platform-api-token': `${secret}\n"${secret}\u0001` });
  const error = thrownBy(say);
  expect(error.message).toContain(secret);
  expect(maskText(error.message)).not.toContain(secret);
  expect(logged({ err: error }, error.message).msg).toContain('is an invalid header value');
});

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

test('the reason in a log line contains no value that an error of Postgres quotes', () => {
  const error = (code: string) =>
    Object.assign(new pg.DatabaseError(`"${secret}" is no number`, 1, 'error'), { code });
  expect(loggedReason(error('22P02'))).toBe('an error of Postgres (22P02)');
  const down = Object.assign(new pg.DatabaseError('going down', 1, 'error'), { code: '57P01' });
  expect(loggedReason(down)).toBe('going down');
  expect(loggedReason(new Error('no route'))).toBe('no route');
});
