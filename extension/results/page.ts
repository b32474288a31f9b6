/** The HTML of the results grid. Scripts and styles come from the extension alone. */
import { randomBytes } from 'node:crypto'
import { Uri, type Webview } from 'vscode'

export function gridPage(webview: Webview, extension: Uri): string {
  const nonce = randomBytes(16).toString('base64')
  const script = webview.asWebviewUri(Uri.joinPath(extension, 'dist', 'grid.js'))
  const style = webview.asWebviewUri(Uri.joinPath(extension, 'media', 'grid.css'))
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${style}">
  <title>SVC results</title>
</head>
<body>
  <header>
    <h1><span id="title"></span> <span id="subtitle"></span></h1>
    <div class="tools" role="toolbar" aria-label="Results">
      <label>Rows <input id="limit" type="number" min="1" max="100000" step="1" value="100"></label>
      <button id="refresh" type="button">Refresh</button>
      <button id="cancel" type="button" hidden>Cancel</button>
      <label>Filter <input id="filter" type="search" placeholder="words in any cell"></label>
      <span class="group" role="group" aria-label="Copy">
        <button id="copy-csv" type="button" title="Copy the rows shown as CSV">Copy CSV</button>
        <button id="copy-json" type="button" title="Copy the rows shown as JSON">Copy JSON</button>
        <button id="copy-markdown" type="button" title="Copy the rows shown as a Markdown table">Copy Markdown</button>
      </span>
      <span class="group" role="group" aria-label="Save">
        <button id="export-csv" type="button" title="Save the rows shown as a CSV file">Save CSV…</button>
        <button id="export-json" type="button" title="Save the rows shown as a JSON file">Save JSON…</button>
      </span>
      <span id="status" role="status" aria-live="polite"></span>
    </div>
    <div id="progress" class="progress" hidden></div>
  </header>
  <div id="refusal" role="alert"></div>
  <main>
    <table aria-labelledby="title">
      <thead id="head"></thead>
      <tbody id="body"></tbody>
    </table>
    <div id="end"></div>
  </main>
  <pre id="detail" aria-label="Whole value" hidden></pre>
  <script nonce="${nonce}" src="${script}"></script>
</body>
</html>`
}
