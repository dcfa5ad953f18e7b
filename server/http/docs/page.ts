/** The page with the viewer. @param root path before all others, without a slash at its end */
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

/** Starts the viewer. It asks nobody but this server: its own validator would send the document elsewhere. */
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

/** No answer has links, whose empty column leaves no room for the rest on a telephone. */
export const pageStyle = `body { margin: 0; }
.swagger-ui .response-col_links { display: none; }
`;
