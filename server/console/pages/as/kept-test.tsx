import { useState } from 'preact/hooks';

/** A file of tests that expects an outcome, to copy or to download. */
export function KeptTest({ name, text }: { readonly name: string; readonly text: string }) {
  const [note, setNote] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setNote('Copied.'),
      () => setNote('The browser refuses to copy; select the text.'),
    );
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
    link.download = `${name}.yaml`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <details>
      <summary>Keep as a test</summary>
      <p class="quiet">
        Save it in the folder tests of the metadata. The row must exist where the tests run. The
        text contains values of the row.
      </p>
      <pre>{text}</pre>
      <p class="as-tasks">
        {/* Browsers offer the clipboard only over TLS and on the own machine. */}
        {isSecureContext && (
          <button type="button" onClick={copy}>
            Copy
          </button>
        )}
        <button type="button" onClick={download}>
          Download
        </button>
        <span role="status">{note}</span>
      </p>
    </details>
  );
}
