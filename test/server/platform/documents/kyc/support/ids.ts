/** A document of the demo data, with its person and its location at the provider. */
export const document = '91000000-0000-4000-8000-000000000101';
export const holder = 'local|alder-investor';
export const inspectionId = 'inspection-alder-3';
export const providerDocumentId = 'document-1';
/** Another document of the same person. */
export const otherDocument = '91000000-0000-4000-8000-000000000102';
/** A document without a file at the provider. */
export const documentWithoutFile = '91000000-0000-4000-8000-000000000108';
/** A person of another organization. */
export const otherPerson = 'local|birch-investor';
/** A person who sees all documents. */
export const officer = 'local|alder-compliance';
