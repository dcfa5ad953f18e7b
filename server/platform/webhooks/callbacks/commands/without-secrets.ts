const secretName =
  /secret|password|passwd|passcode|token|authorization|cookie|signature|credential|api_?-?key|private_?-?key|cardnumber|card_number|^pan$|^cvv|^cvc|^pin$|^otp$/i;

/** Numbers keep their digits; this is newer than the types of the standard library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON of a payload for people: members whose name promises a secret are blanked, at any depth. */
export function withoutSecrets(json: string): unknown {
  const blank = (key: string, value: unknown, { source }: { readonly source?: string }) => {
    if (secretName.test(key)) return '[secret]';
    return typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
  };
  return JSON.parse(json, blank as (key: string, value: unknown) => unknown);
}
