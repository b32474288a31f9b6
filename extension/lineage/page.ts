/** The HTML of the lineage view. Scripts and styles come from the extension alone. */
import { randomBytes } from 'node:crypto'
import { Uri, type Webview } from 'vscode'

export interface PageFiles {
  readonly script: Uri
  /** The folder with `app.css` and the worker. */
  readonly folder: Uri
}

/** `root` is the URI of the project. */
export function lineagePage(webview: Webview, { script, folder }: PageFiles, root: string): string {
  const nonce = randomBytes(16).toString('base64')
  const file = (name: string) => webview.asWebviewUri(Uri.joinPath(folder, name)).toString()
  return `<!DOCTYPE html>
<html lang="en" data-root="${escaped(root)}" data-worker="${file('elk-worker.min.js')}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy(webview.cspSource, nonce)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${file('app.css')}">
  <title>Lineage</title>
</head>
<body>
  <script nonce="${nonce}" src="${webview.asWebviewUri(script)}"></script>
</body>
</html>`
}

/** Stands in a panel that was open before the workspace lost its trust: nothing is started for it. */
export function untrustedPage(): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
  <title>Lineage</title>
</head>
<body>
  <p>The lineage is shown when you trust this workspace: it is read by a process.</p>
</body>
</html>`
}

/**
 * The same policy as that of `svc ui`. The hash is that of the empty text, because a library adds one empty
 * `<style>` to the head.
 */
function policy(source: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source} 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`,
    'worker-src blob:',
    `connect-src ${source}`,
    `img-src ${source} data:`,
    `font-src ${source}`,
  ].join('; ')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
