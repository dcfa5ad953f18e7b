/** A group of operations in the OpenAPI document. Two groups with one name must be equal. */
export interface ApiTag {
  readonly name: string;
  readonly description: string;
}

export const dataTag: ApiTag = { name: 'data', description: 'The data API' };

export const serviceTag: ApiTag = { name: 'service', description: 'The server itself' };
