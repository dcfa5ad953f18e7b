const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** The limits of one upload. The first two are part of the platform's API; the others limit the rest of a form. */
export const uploadLimits = {
  /** The total size of all files. */
  contentBytes: 80 * mebibyte,
  files: 50,
  fields: 16,
  fieldBytes: 1 * kibibyte,
  /** The size of one field. */
  headerBytes: 8 * kibibyte,
  headers: 20,
  /** Maximum size of a form without the contents of its files. */
  overheadBytes: 1 * mebibyte,
} as const;
