import { createHmac } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  makeKycProvider,
  type ProviderLimits,
} from '../../../../../server/platform/documents/kyc/kyc-provider.ts';
import type { ProviderError } from '../../../../../server/platform/documents/kyc/provider-error.ts';
import { signRequest } from '../../../../../server/platform/documents/kyc/sign-request.ts';
import { vacantPort } from '../../../../support/rowgate.ts';
import {
  breakOff,
  closed,
  file,
  hangUp,
  pour,
  silence,
  stall,
  startTestProvider,
  status,
  type TestProvider,
} from './support/test-provider.ts';

const secretKey = 'the secret key of tests';
const source = { inspectionId: '5f649369aee05c75ea54c80a', providerDocumentId: '1045510331' };
const path = '/resources/inspections/5f649369aee05c75ea54c80a/resources/1045510331';
const signal = new AbortController().signal;
const logger = pino({ level: 'silent' });
const quick = { pauseMs: 1 };
const hasty = { ...quick, headersMs: 100, stallMs: 100 };

let remote: TestProvider;
beforeAll(async () => {
  remote = await startTestProvider();
});
afterAll(() => remote.stop());

function open(limits: Partial<ProviderLimits> = quick, given = source, baseUrl = remote.url) {
  const config = { baseUrl, appToken: 'sbx:app', secretKey };
  return makeKycProvider(config, logger, limits).open(given, signal);
}

async function read(limits?: Partial<ProviderLimits>): Promise<string> {
  const { content } = await open(limits);
  return (await buffer(content)).toString('latin1');
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: ProviderError) => error.reason,
  );

describe('a request to the KYC provider', () => {
  test('contains the inspection and the document in its path, and is signed', async () => {
    remote.answerWith(file('content'));
    expect(await read()).toBe('content');
    const [request] = remote.requests;
    const time = String(request?.headers['x-app-access-ts']);
    expect([request?.method, request?.url]).toEqual(['GET', path]);
    expect(request?.headers).toMatchObject({
      'x-app-token': 'sbx:app',
      'x-app-access-sig': createHmac('sha256', secretKey).update(`${time}GET${path}`).digest('hex'),
      'accept-encoding': 'identity',
    });
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
  });

  test('has the signature that OpenSSL computes', () => {
    // printf '1700000000GET/resources/x?y=1' | openssl dgst -sha256 -hmac key
    expect(
      signRequest('/resources/x?y=1', { baseUrl: '', appToken: 'a', secretKey: 'key' }, 1.7e9),
    ).toEqual({
      'X-App-Token': 'a',
      'X-App-Access-Ts': '1700000000',
      'X-App-Access-Sig': '38e7a25b0006d91ff3ef98fd87943d6526e408daff6a91f42a9bc1ca44748e11',
    });
  });

  test.each(['..', '.', '../../applicants', 'a/b', 'a?b', 'a#b', 'a%2fb', '', 'é'])(
    'is not sent for an id like %j, which could change its path',
    async (id) => {
      remote.answerWith(file('content'));
      expect(await reasonOf(open(quick, { ...source, inspectionId: id }))).toBe('missing');
      expect(await reasonOf(open(quick, { ...source, providerDocumentId: id }))).toBe('missing');
      expect(remote.requests).toEqual([]);
    },
  );
});

describe('a request to the KYC provider', () => {
  test('is repeated after a temporary failure of the provider', async () => {
    remote.answerWith(status(500), status(503), file('content'));
    expect(await read()).toBe('content');
    expect(remote.requests).toHaveLength(3);
  });

  test('is repeated after a connection that breaks before the first byte of the file', async () => {
    remote.answerWith(hangUp, hangUp, file('content'));
    expect(await read()).toBe('content');
  });

  test('is not repeated after the third try', async () => {
    remote.answerWith(status(500));
    expect(await reasonOf(open())).toBe('refused');
    expect(remote.requests).toHaveLength(3);
  });

  test.each([
    ['the provider answers that the request is wrong', status(400), 'refused'],
    ['the provider answers that there were too many requests', status(429), 'refused'],
    ['the provider refuses the credentials', status(401), 'refused'],
    ['the provider does not have the file', status(404), 'missing'],
    ['the answer has another status than that of a file', status(204, ''), 'refused'],
  ])('is not repeated when %s', async (_case, answer, reason) => {
    remote.answerWith(answer);
    expect(await reasonOf(open())).toBe(reason);
    expect(remote.requests).toHaveLength(1);
  });

  test('is not repeated after the first byte of the file', async () => {
    remote.answerWith(breakOff('begin'));
    expect(await reasonOf(read())).toBe('broken');
    expect(remote.requests).toHaveLength(1);
  });
});

test('a KYC provider that cannot be reached causes an error', async () => {
  const away = `http://127.0.0.1:${await vacantPort()}`;
  expect(await reasonOf(open(quick, source, away))).toBe('broken');
});

test('a redirect of the KYC provider is not followed', async () => {
  const other = await startTestProvider();
  other.answerWith(file('stolen'));
  remote.answerWith((_request, response) => {
    response.writeHead(302, { Location: other.url }).end();
  });
  expect(await reasonOf(open())).toBe('refused');
  expect(other.requests).toEqual([]);
  await other.stop();
});

describe('a request to a KYC provider that is too slow is aborted', () => {
  test('before the headers of its answer', async () => {
    remote.answerWith(silence);
    expect(await reasonOf(open(hasty))).toBe('timed-out');
    expect(remote.requests).toHaveLength(1);
  });

  test('between the headers and the first byte of the file', async () => {
    remote.answerWith((_request, response) => {
      response.writeHead(200).flushHeaders();
    });
    expect(await reasonOf(open(hasty))).toBe('timed-out');
  });

  test('in the middle of a file', async () => {
    remote.answerWith(stall('begin'));
    const { content } = await open({ ...quick, stallMs: 500 });
    expect(await reasonOf(buffer(content))).toBe('timed-out');
  });

  test('when the whole file takes too long, although bytes still arrive', async () => {
    remote.answerWith(stall('begin'));
    const { content } = await open({ ...quick, totalMs: 500 });
    expect(await reasonOf(buffer(content))).toBe('timed-out');
  });
});

describe('a file from the KYC provider', () => {
  test('may have the maximum size, and not one byte more', async () => {
    const limits = { ...quick, bytes: 300_000 };
    remote.answerWith(pour(300_000));
    expect(await read(limits)).toHaveLength(300_000);
    remote.answerWith(pour(300_001));
    expect(await reasonOf(read(limits))).toBe('too-large');
  });

  test('is not read when its declared length exceeds the maximum', async () => {
    remote.answerWith(file(Buffer.alloc(1001)));
    expect(await reasonOf(open({ ...quick, bytes: 1000 }))).toBe('too-large');
    expect(remote.requests).toHaveLength(1);
  });

  test('may be empty', async () => {
    remote.answerWith(file(''));
    expect(await read()).toBe('');
  });

  test('has the size and type that the provider reports', async () => {
    remote.answerWith(file('content', 'image/png'));
    const { size, contentType, content } = await open();
    expect([size, contentType, (await buffer(content)).length]).toEqual([7, 'image/png', 7]);
  });

  test('has an unknown size when the provider compresses it although the request did not allow that', async () => {
    const answer =
      (packed: Buffer): RequestListener =>
      (request, response) => {
        response.setHeader('Content-Encoding', 'gzip');
        file(packed)(request, response);
      };
    remote.answerWith(answer(gzipSync('content')));
    const { size, content } = await open();
    expect([size, (await buffer(content)).toString()]).toEqual([undefined, 'content']);
    remote.answerWith(answer(gzipSync(Buffer.alloc(300_001))));
    expect(await reasonOf(read({ ...quick, bytes: 300_000 }))).toBe('too-large');
  });

  test('is read from the provider no faster than the caller reads it', async () => {
    const whole = 48 * 1024 * 1024;
    const poured = { bytes: 0 };
    remote.answerWith(pour(whole, poured), file('another'));
    const { content } = await open();
    const pieces = content[Symbol.asyncIterator]();
    await pieces.next();
    for (let n = 0; n < 50; n += 1) expect(await read()).toBe('another');
    expect(poured.bytes).toBeLessThan(whole / 2);
    let size = 0;
    for await (const piece of { [Symbol.asyncIterator]: () => pieces }) size += piece.length;
    expect([poured.bytes, size > whole / 2]).toEqual([whole, true]);
  });

  test('is no longer read when its reader aborts', async () => {
    const unwanted = new AbortController();
    const config = { baseUrl: remote.url, appToken: 'app', secretKey };
    remote.answerWith(stall('begin'));
    const { content } = await makeKycProvider(config, logger, quick).open(source, unwanted.signal);
    const gone = closed(remote.requests[0]);
    unwanted.abort();
    await expect(buffer(content)).rejects.toThrow();
    await gone;
  });

  test('is not requested again after its reader has aborted', async () => {
    const unwanted = new AbortController();
    const config = { baseUrl: remote.url, appToken: 'app', secretKey };
    remote.answerWith((request, response) => {
      unwanted.abort();
      status(500)(request, response);
    });
    const opening = makeKycProvider(config, logger, quick).open(source, unwanted.signal);
    await expect(opening).rejects.toThrow();
    expect(remote.requests).toHaveLength(1);
  });
});
