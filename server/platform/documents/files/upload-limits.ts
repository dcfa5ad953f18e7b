const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** What one upload may bring. The first two are the platform's; the others keep a form from being anything else. */
export const uploadLimits = {
  /** Of all files together. */
  contentBytes: 80 * mebibyte,
  files: 50,
  fields: 16,
  fieldBytes: 1 * kibibyte,
  /** Of one part. */
  headerBytes: 8 * kibibyte,
  headers: 20,
  /** Of everything beside the content. */
  overheadBytes: 1 * mebibyte,
} as const;
