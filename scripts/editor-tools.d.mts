export interface EditorTools {
  /** The Node that code-server runs on. */
  readonly node: string
  /** Its main script. */
  readonly codeServer: string
  /** Undefined where none was asked for. */
  readonly chromium: string | undefined
}

/** Gives the tools, after setting up what is missing; or one line that says what cannot be had and why. */
export function prepareEditor(needs: {
  readonly browser: boolean
}): { readonly tools: EditorTools } | { readonly missing: string }

/** Installs a Debian package where that can be done: as root, with apt-get. */
export function installFromDebian(name: string): void
