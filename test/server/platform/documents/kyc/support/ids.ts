/** Of the demo data: whose document it is, and where the provider keeps it. */
export const document = '91000000-0000-4000-8000-000000000101';
export const holder = 'local|alder-investor';
export const inspectionId = 'inspection-alder-3';
export const providerDocumentId = 'document-1';
/** Another one of the same person. */
export const otherDocument = '91000000-0000-4000-8000-000000000102';
/** Of which the provider has nothing. */
export const documentWithoutFile = '91000000-0000-4000-8000-000000000108';
/** In another organization. */
export const stranger = 'local|birch-investor';
/** Sees all documents. */
export const officer = 'local|alder-compliance';
