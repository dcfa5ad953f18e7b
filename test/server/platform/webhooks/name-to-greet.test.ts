import { expect, test } from 'vitest';
import { nameToGreet } from '../../../../server/platform/webhooks/name-to-greet.ts';

test.each([
  ['Eva Noor', 'Eva Noor'],
  [' J.R. O’Neil-Söhne, Jr. ', 'J.R. O’Neil-Söhne, Jr.'],
  ['王小明', '王小明'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
])('a mail greets the person with the name %s', (given, name) => {
  expect(nameToGreet(given)).toBe(name);
});

test.each([
  ['none', null],
  ['blanks', '  '],
  ['a line end', 'Eva\nPay now'],
  ['a line separator', 'Eva\u2028Pay now'],
  ['an address of the web', 'https://elm.invalid'],
  ['a host', 'see elm.invalid'],
  ['a host with a joiner', 'see elm.\u200dinvalid'],
  ['a host with a wide point', 'see elm．invalid'],
  ['a host with an ideographic point', 'see elm。invalid'],
  ['a host of digits', 'see 203.0.113.7'],
  ['another order of letters', 'Eva \u202edilavni'],
  ['a mail address', 'eva@elm'],
  ['a wide mail address', 'eva＠elm'],
  ['markup', '<b>Eva'],
  ['101 letters', 'E'.repeat(101)],
])(
  'a mail does not greet the person with the text %s, because it is more than a name',
  (_title, given) => {
    expect(nameToGreet(given)).toBeUndefined();
  },
);
