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

/**
 * Returns the policy of a page: everything comes from its own origin, and data are not executable. The hash is of the
 * empty text, because a library adds one empty `<style>` to the head.
 */
export function policyOf(scripts: string, more: readonly string[] = []): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
    'worker-src blob:',
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
    "require-trusted-types-for 'script'",
    "trusted-types lit-html fast-html svc-graph 'allow-duplicates'",
  ].join('; ')
}

/** Escapes the JSON, so that it cannot close its element. */
function asData(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, character => entities[character] ?? character)
}
