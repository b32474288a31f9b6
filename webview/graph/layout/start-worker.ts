/**
 * Starts elkjs in a worker from its source text. VS Code's webviews cannot load worker scripts, so the text
 * is fetched and turned into a Blob in both hosts; a strict page with Trusted Types gets its own policy.
 */
import type { LayoutWorker } from './elk-layout.ts'

interface Policy {
  createScriptURL(url: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

/** The file of a site that holds the text of the layout script; `siteFiles` writes it. */
export const layoutSource = 'elk-worker.source.js'

let policy: Policy | undefined

export async function startWorker(scriptUrl: string): Promise<LayoutWorker> {
  const source = location.protocol === 'file:' ? await sourceByScript(scriptUrl) : await fetched(scriptUrl)
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(trusted(url))
  URL.revokeObjectURL(url)
  return worker as unknown as LayoutWorker
}

async function fetched(scriptUrl: string): Promise<string> {
  const response = await fetch(scriptUrl)
  if (!response.ok) throw new Error(`the layout script answered ${response.status}`)
  return await response.text()
}

/** A page that was opened as a file may fetch nothing, but run scripts beside it: this one holds the text of the other. */
function sourceByScript(scriptUrl: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = trusted(scriptUrl)
    script.onerror = () => reject(new Error(`${scriptUrl} cannot be loaded`))
    script.onload = () => {
      const { svcElkSource: source } = globalThis as { svcElkSource?: unknown }
      if (typeof source === 'string') resolve(source)
      else reject(new Error(`${scriptUrl} holds no source`))
    }
    document.head.append(script)
  })
}

function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('svc-graph', {
    createScriptURL(each) {
      if (!each.startsWith('blob:') && each !== layoutSource)
        throw new TypeError('workers are made of blobs only')
      return each
    },
  })
  return policy?.createScriptURL(url) ?? url
}
