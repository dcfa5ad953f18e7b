/** A KYC document of the demo data. The next constants are its person, and its inspection and image at the provider. */
export const document = '91000000-0000-4000-8000-000000000101';
export const holder = 'local|alder-investor';
export const inspectionId = 'inspection-alder-3';
export const providerDocumentId = 'document-1';
/** Another document of the same person. */
export const otherDocument = '91000000-0000-4000-8000-000000000102';
/** A KYC document that has no file at the provider. */
export const documentWithoutFile = '91000000-0000-4000-8000-000000000108';
/** A person of another organization than the document's person. */
export const otherPerson = 'local|birch-investor';
/** A compliance officer, whose role sees the documents of all people. */
export const officer = 'local|alder-compliance';
