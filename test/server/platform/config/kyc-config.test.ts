import { expect, test } from 'vitest';
import { parsePlatformConfig } from '../../../support/platform.ts';

const whole = {
  ROWGATE_KYC_BASE_URL: 'https://kyc.example/',
  ROWGATE_KYC_APP_TOKEN: 'sbx:token.of.the.app',
  ROWGATE_KYC_SECRET_KEY: 'k'.repeat(32),
};

const read = (environment: Readonly<Record<string, string>>) =>
  parsePlatformConfig(environment, '/app').config.kyc;

test('the KYC file service has no provider unless one is configured', () => {
  expect(read({})).toBeUndefined();
});

test('a KYC provider is configured by an address, a token and a secret', () => {
  expect(read(whole)).toEqual({
    baseUrl: 'https://kyc.example',
    appToken: 'sbx:token.of.the.app',
    secretKey: 'k'.repeat(32),
  });
});

test.each(Object.keys(whole))(
  'the KYC provider settings are refused when only %s is missing',
  (name) => {
    expect(() => read({ ...whole, [name]: '' })).toThrow(`${name} must be set beside`);
  },
);

test.each(['http://kyc.example', 'http://127.0.0.1.kyc.example', 'http://10.0.0.1'])(
  'an unencrypted KYC provider address is refused, because it would expose the app token: %s',
  (url) => {
    expect(() => read({ ...whole, ROWGATE_KYC_BASE_URL: url })).toThrow('must begin with https://');
  },
);

test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
  'an unencrypted KYC provider address is accepted on the loopback: %s',
  (url) => {
    expect(read({ ...whole, ROWGATE_KYC_BASE_URL: url })?.baseUrl).toBe(url);
  },
);

test('a KYC provider address that contains a password is refused', () => {
  const url = 'https://user:password@kyc.example';
  expect(() => read({ ...whole, ROWGATE_KYC_BASE_URL: url })).toThrow('must not hold a user');
});

test('messages about the KYC provider contain neither its token nor its secret', () => {
  const environment = {
    ...whole,
    ROWGATE_KYC_APP_TOKEN: 'two words',
    ROWGATE_KYC_SECRET_KEY: 'too-short',
  };
  expect(() => read(environment)).toThrow(/^(?![\s\S]*(two words|too-short))/);
  expect(() => read(environment)).toThrow('holds characters that a header cannot');
  expect(() => read(environment)).toThrow('must have at least 16');
});
