import { describe, expect, test } from 'vitest';
import { parseReturnTo } from '../../../../../server/platform/accounts/sessions/return-to.ts';

const origins = new Set(['https://app.example.com', 'http://localhost:3000']);
const parse = (text: string) => parseReturnTo(text, 'https://gateway.example.com/api', origins);

describe('the address to which a logout redirects', () => {
  test.each([
    ['/welcome?a=1#b', 'https://gateway.example.com/welcome?a=1#b'],
    ['/', 'https://gateway.example.com/'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com/in?to=%2F%2Fevil', 'https://app.example.com/in?to=%2F%2Fevil'],
    ['HTTPS://App.Example.com:443/x', 'https://app.example.com/x'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['https://gateway.example.com/', 'https://gateway.example.com/'],
    // This address stays on the server, because browsers read a host only from the start of a URL, not from its path.
    ['/..//evil.example', 'https://gateway.example.com//evil.example'],
  ])('may be %s', (text, url) => {
    expect(parse(text)).toBe(url);
  });

  test.each([
    [''],
    ['welcome'],
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/\t/evil.example'],
    ['\t//evil.example'],
    ['/\n/evil.example'],
    [' https://app.example.com'],
    ['https:evil.example'],
    ['https:/evil.example'],
    ['https:///evil.example'],
    ['https:\\\\app.example.com'],
    ['https://evil.example'],
    ['https://app.example.com.evil.example'],
    ['https://app.example.com@evil.example'],
    ['https://me@app.example.com'],
    ['https://me:secret@app.example.com/'],
    ['https://app.example.com\\@evil.example'],
    ['https://app。example。com'],
    ['https://ａpp.example.com'],
    ['https://app.example.com:8443'],
    ['http://app.example.com'],
    ['https://localhost:3000'],
    ['javascript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['data:text/html,x'],
    ['ftp://app.example.com'],
    ['https://[::1'],
    ['null'],
  ])('may not be %j', (text) => {
    expect(() => parse(text)).toThrow('query.returnTo must be a path of this service');
  });
});
