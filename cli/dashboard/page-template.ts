/** Fills in the page's HTML template, which `svc ui` and `svc lineage` share. Pure. */

export interface PageFill {
  /** The mode of the page: everything, read-only, or a static page that contains its data. */
  readonly mode: 'full' | 'read-only' | 'static'
  /** Distinguishes the project in the browser's storage. */
  readonly project: string
  /** The nonce of the script; undefined if the policy allows it by address. */
  readonly nonce?: string
  /** The content security policy, for a page that no server sends with a header. */
  readonly policy?: string
  /** JSON data in the page. */
  readonly data?: string
}

export function fillPage(template: string, { mode, project, nonce, policy, data }: PageFill): string {
  const values: Readonly<Record<string, string>> = {
    mode,
    project: escaped(project),
    nonce: nonce ?? '',
    policy:
      policy === undefined ? '' : `<meta http-equiv="content-security-policy" content="${escaped(policy)}">`,
    data: data === undefined ? '' : `<script type="application/json" id="svc-data">${asData(data)}</script>`,
  }
  return template.replace(/\{\{([a-z]+)\}\}/g, (_, name: string) => values[name] ?? '')
}

/** Escapes the JSON, so that it cannot close its element. */
function asData(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, character => entities[character] ?? character)
}
