/**
 * A marker is a value that identifies one cell. It contains the serial number of the cell, for every type of value. No
 * other text in a response, an error or a log line has the form of a marker.
 */
export type MarkerKey = string;

/** The number of serial numbers. Serial numbers of no cell give values that do not exist in any row. */
export const serials = 65_536;

const letters = 'abcdefghijklmnop';
const minute = 60_000;
const day = 24 * 60 * minute;
const firstDay = Date.UTC(2500, 0, 1);
// A day in early January would have another year in some time zones.
const firstMinute = Date.UTC(2777, 1, 1);

/** Returns the serial number as eight letters, e.g. `zqaabcqz`. Upper and lower case mean the same. */
export function wordOf(serial: number): string {
  const digits = [12, 8, 4, 0].map((shift) => letters[(serial >> shift) & 15]);
  return `zq${digits.join('')}qz`;
}

export function uuidOf(serial: number): string {
  return `5e47135e-0000-4000-8000-${serial.toString(16).padStart(12, '0')}`;
}

/** Returns the serial number as 64 hexadecimal digits. */
export function digestOf(serial: number): string {
  return `5e47135e${serial.toString(16).padStart(56, '0')}`;
}

/**
 * Returns the serial number as a number that falls as serial numbers rise. The last three digits are a checksum, so
 * that an average of markers is not a marker.
 */
export function numberOf(serial: number): number {
  const rank = serials - serial;
  return 700_000_000 + rank * 1000 + ((rank * rank * 7919) % 997);
}

/** Returns the serial number as a time. A larger number gives a later time. */
export function dateOf(serial: number): string {
  return new Date(firstDay + serial * day).toISOString().slice(0, 10);
}

export function timeOf(serial: number): string {
  return new Date(firstMinute + serial * minute).toISOString();
}

export function addressOf(serial: number): string {
  return `177.77.${serial >> 8}.${serial & 255}`;
}

type Look = readonly [RegExp, (...groups: string[]) => number, (serial: number) => string];

/** For each kind of marker: its pattern, a function that reads its serial number, and a function that makes it. */
const looks: Readonly<Record<string, Look>> = {
  word: [/zq([a-p]{4})qz/gi, (digits = '') => readWord(digits), wordOf],
  uuid: [
    /5e47135e-0000-4000-8000-([0-9a-f]{12})/gi,
    (digits = '') => Number.parseInt(digits, 16),
    uuidOf,
  ],
  digest: [/5e47135e([0-9a-f]{56})/gi, (digits = '') => Number.parseInt(digits, 16), digestOf],
  number: [
    /(?<!\d)(7\d{8})(?!\d)/g,
    (digits = '') => readNumber(Number(digits)),
    (serial) => String(numberOf(serial)),
  ],
  date: [
    /(?<!\d)(2[56]\d\d-\d\d-\d\d)(?!\d)/g,
    (text = '') => (Date.parse(`${text}T00:00:00Z`) - firstDay) / day,
    dateOf,
  ],
  time: [
    /(277\d-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|([+-]\d\d)(?::?(\d\d))?)?/g,
    (date, time, hours = '+00', minutes = '00') =>
      (Date.parse(`${date}T${time}${hours}:${minutes}`) - firstMinute) / minute,
    timeOf,
  ],
  address: [
    /177\.77\.(\d{1,3})\.(\d{1,3})/g,
    (high, low) => Number(high) * 256 + Number(low),
    addressOf,
  ],
};

/** Returns every marker in a text. */
export function markersIn(text: string): ReadonlySet<MarkerKey> {
  const found = new Set<MarkerKey>();
  for (const [kind, [look, read]] of Object.entries(looks)) {
    for (const [, ...groups] of text.matchAll(look)) found.add(`${kind}:${read(...groups)}`);
  }
  return found;
}

/** Returns a value of the same form that no cell contains. */
export function absentLike(value: string): string {
  const absent = serials - 1;
  return Object.values(looks).reduce(
    (text, [look, , make]) =>
      text.replaceAll(look, (found) =>
        found === found.toUpperCase() ? make(absent).toUpperCase() : make(absent),
      ),
    value,
  );
}

function readWord(digits: string): number {
  return [...digits.toLowerCase()].reduce(
    (serial, digit) => serial * 16 + letters.indexOf(digit),
    0,
  );
}

function readNumber(value: number): number {
  const serial = serials - Math.floor((value - 700_000_000) / 1000);
  return numberOf(serial) === value ? serial : Number.NaN;
}
