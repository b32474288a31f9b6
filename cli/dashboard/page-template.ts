/** The page's HTML is one file for both of its homes; what differs is filled in. Pure. */

export interface PageFill {
  /** What the page can do: everything, look only, or look at data that lie in the page itself. */
  readonly mode: 'full' | 'read-only' | 'static'
  /** Tells this project from others in what a browser keeps. */
  readonly project: string
  /** Of the script; undefined where the policy goes by address. */
  readonly nonce?: string
  /** Where no server sends a policy, the page brings its own. */
  readonly policy?: string
  /** JSON that the page carries. */
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

/** Nothing in it ends the element that it stands in. */
function asData(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, character => entities[character] ?? character)
}
