/** Returns the HTML of the documentation page. @param root path of the server's base URL, without a slash at its end */
export function pageAt(root: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rowgate: REST and GraphQL over HTTP</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/docs/swagger-ui.css">
<link rel="stylesheet" href="${root}/docs/page.css">
<script defer src="${root}/docs/swagger-ui-bundle.js"></script>
<script defer src="${root}/docs/page.js"></script>
</head>
<body>
<div id="viewer" data-document="${root}/openapi.json">
<noscript>This page needs JavaScript; <a href="${root}/openapi.json">the document that it shows</a> does not.</noscript>
</div>
</body>
</html>
`;
}

/** Starts Swagger UI. Its online validator is off, because it would send the document to another server. */
export const pageScript = `const viewer = document.getElementById('viewer');
SwaggerUIBundle({
  domNode: viewer,
  url: viewer.dataset.document,
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
});
`;

/**
 * Hides the column "Links" of Swagger UI's tables. The column is always empty, and on a phone the other columns need
 * its space.
 */
export const pageStyle = `body { margin: 0; }
.swagger-ui .response-col_links { display: none; }
`;
