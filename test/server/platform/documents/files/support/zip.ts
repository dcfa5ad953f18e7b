import { crc32 } from 'node:zlib';

/** Makes an uncompressed ZIP archive with these texts, by file name. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const sizes = [crc32(data), data.length, data.length];
    const local = record(0x04034b50, [20, 0, 0, 0, 0], sizes, [name.length, 0]);
    locals.push(local, Buffer.from(name), data);
    const places = [name.length, 0, 0, 0, 0];
    const central = record(0x02014b50, [20, 20, 0, 0, 0, 0], sizes, places);
    centrals.push(central, longs([0, offset]), Buffer.from(name));
    offset += local.length + name.length + data.length;
  }
  const directory = Buffer.concat(centrals);
  const count = Object.keys(files).length;
  const end = record(0x06054b50, [0, 0, count, count], [directory.length, offset], [0]);
  return Buffer.concat([...locals, directory, end]);
}

function record(mark: number, first: number[], sizes: number[], last: number[]): Buffer {
  return Buffer.concat([longs([mark]), shorts(first), longs(sizes), shorts(last)]);
}

function shorts(values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([value & 0xff, value >> 8])));
}

function longs(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, place) => {
    buffer.writeUInt32LE(value >>> 0, place * 4);
  });
  return buffer;
}
