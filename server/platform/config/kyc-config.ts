import type { EnvironmentReader } from '../../config/environment.ts';

/** The external service that verifies people and stores the files of their documents. */
export interface KycConfig {
  /** The root of its URLs, without a slash at its end. It uses https, except on the loopback interface. */
  readonly baseUrl: string;
  /** Identifies this service in requests. */
  readonly appToken: string;
  /** Signs requests. */
  readonly secretKey: string;
}

/**
 * Reads the settings of the KYC provider; undefined when none is configured. Problems are collected in `read`, so that
 * all are reported together.
 */
export function readKycConfig(read: EnvironmentReader): KycConfig | undefined {
  const baseUrl = read.webUrl('ROWGATE_KYC_BASE_URL');
  const appToken = read.text('ROWGATE_KYC_APP_TOKEN');
  const secretKey = read.secret('ROWGATE_KYC_SECRET_KEY', 16);
  if (baseUrl !== undefined) checkUrl(baseUrl, read);
  if (appToken !== undefined && !/^[\x21-\x7e]+$/.test(appToken)) {
    read.complain('ROWGATE_KYC_APP_TOKEN', 'holds characters that a header cannot');
  }
  const names = ['ROWGATE_KYC_BASE_URL', 'ROWGATE_KYC_APP_TOKEN', 'ROWGATE_KYC_SECRET_KEY'];
  const missing = names.filter((name) => read.text(name) === undefined);
  if (missing.length === names.length) return undefined;
  for (const name of missing) {
    const others = names.filter((other) => other !== name);
    read.complain(name, `must be set beside ${others.join(' and ')}, or none of them`);
  }
  if (baseUrl === undefined || appToken === undefined || secretKey === undefined) return undefined;
  return { baseUrl, appToken, secretKey };
}

/** Checks the URL. Without https, the app token in each request could be read on the network. */
function checkUrl(baseUrl: string, read: EnvironmentReader): void {
  const url = URL.parse(baseUrl);
  if (url?.username || url?.password) {
    read.complain('ROWGATE_KYC_BASE_URL', 'must not hold a user or a password');
  }
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '');
  if (url?.protocol !== 'https:' && !isLoopback) {
    read.complain('ROWGATE_KYC_BASE_URL', 'must begin with https://, unless it is the loopback');
  }
}
